import AsyncRuntime

extension Bolts.Task {
  /// A task for the value that `continuation` returns. Once this task is completed, with any result, `continuation`
  /// gets it.
  ///
  /// - Parameter executor: runs `continuation`.
  @discardableResult
  public func continueWith<Output: Sendable>(
    _ executor: Bolts.Executor = .default, file: StaticString = #fileID, line: UInt = #line,
    continuation: @escaping @Sendable (Bolts.Task<Success>) throws -> Output
  ) -> Bolts.Task<Output> {
    continued(executor, .any, Site(file, line)) { result, next in
      next.settle(Result { try continuation(self) })
    }
  }

  /// A task that completes in the same way as the task that `continuation` returns. Once this task is completed, with
  /// any result, `continuation` gets it.
  @discardableResult
  public func continueWithTask<Output: Sendable>(
    _ executor: Bolts.Executor = .default, file: StaticString = #fileID, line: UInt = #line,
    continuation: @escaping @Sendable (Bolts.Task<Success>) throws -> Bolts.Task<Output>
  ) -> Bolts.Task<Output> {
    continued(executor, .any, Site(file, line)) { result, next in
      next.adopt { try continuation(self) }
    }
  }

  /// A task for the value that `continuation` returns for this task's value. A failure or a cancellation passes
  /// through.
  @discardableResult
  public func continueOnSuccessWith<Output: Sendable>(
    _ executor: Bolts.Executor = .default, file: StaticString = #fileID, line: UInt = #line,
    continuation: @escaping @Sendable (Success) throws -> Output
  ) -> Bolts.Task<Output> {
    continued(executor, .success, Site(file, line)) { result, next in
      next.settle(Result { try continuation(try result.get()) })
    }
  }

  /// A task that completes in the same way as the task that `continuation` returns for this task's value. A failure or
  /// a cancellation passes through.
  @discardableResult
  public func continueOnSuccessWithTask<Output: Sendable>(
    _ executor: Bolts.Executor = .default, file: StaticString = #fileID, line: UInt = #line,
    continuation: @escaping @Sendable (Success) throws -> Bolts.Task<Output>
  ) -> Bolts.Task<Output> {
    continued(executor, .success, Site(file, line)) { result, next in
      next.adopt { try continuation(try result.get()) }
    }
  }

  /// A task for the value that `continuation` returns for this task's error. A value or a cancellation passes through.
  @discardableResult
  public func continueOnErrorWith(
    _ executor: Bolts.Executor = .default, file: StaticString = #fileID, line: UInt = #line,
    continuation: @escaping @Sendable (any Error) throws -> Success
  ) -> Bolts.Task<Success> {
    continued(executor, .failure, Site(file, line)) { result, next in
      guard let error = result.fault else {
        _ = next.settle(result)
        return
      }
      next.settle(Result { try continuation(error) })
    }
  }

  /// A task that completes in the same way as the task that `continuation` returns for this task's error. A value or a
  /// cancellation passes through.
  @discardableResult
  public func continueOnErrorWithTask(
    _ executor: Bolts.Executor = .default, file: StaticString = #fileID, line: UInt = #line,
    continuation: @escaping @Sendable (any Error) throws -> Bolts.Task<Success>
  ) -> Bolts.Task<Success> {
    continued(executor, .failure, Site(file, line)) { result, next in
      guard let error = result.fault else {
        _ = next.settle(result)
        return
      }
      next.adopt { try continuation(error) }
    }
  }

  /// The next task, which `body` completes.
  ///
  /// - Parameter wants: the results for which `body` must run on the executor.
  private func continued<Output: Sendable>(
    _ executor: Bolts.Executor, _ wants: PromiseNode.Wants, _ site: Site,
    _ body:
      @escaping @Sendable (
        Result<Success, any Error>, PromiseStorage<Output, any Error>
      ) -> Void
  ) -> Bolts.Task<Output> {
    let wanted = wants.rawValue
    return Bolts.Task<Output>(
      promise.link(on: executor.placement, wants, site) { result, next in
        guard result.isWanted(PromiseNode.Wants(rawValue: wanted)) else {
          return body(result, next)
        }
        // The continuation gets the error, which counts as handling it.
        if result.fault != nil { next.replaceFailure() }
        guard case .escapingClosure(let execute) = executor else { return body(result, next) }
        // The executor's call has a promise of its own, so that a missing call is detected.
        let (called, resolver) = Promise<Void, any Error>.withResolvers(on: .inline)
        next.adopt(
          called.link(on: .inline, .success, site) { call, next in
            guard case .failure(let error) = call else { return body(result, next) }
            next.settle(.failure(error))
          }.storage)
        execute { resolver.tryResolve(.success(())) }
      })
  }
}

extension Result where Failure == any Error {
  /// The error, unless it is a cancellation.
  fileprivate var fault: (any Error)? {
    guard case .failure(let error) = self, !(error is CancellationError) else { return nil }
    return error
  }

  fileprivate func isWanted(_ wants: PromiseNode.Wants) -> Bool {
    switch self {
    case .success: wants.contains(.success)
    case .failure: wants.contains(.failure)
    }
  }
}

extension PromiseStorage where Failure == any Error {
  /// Settles the promise in the same way as the task that `body` returns, or with the error that `body` throws.
  fileprivate func adopt(_ body: () throws -> Bolts.Task<Success>) {
    do {
      adopt(try body().promise.storage)
    } catch {
      settle(.failure(error))
    }
  }
}
