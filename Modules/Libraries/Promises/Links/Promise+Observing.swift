public import AsyncRuntime

extension Promise {
  /// Calls `handler` with the value, then passes the value on. If `handler` throws, the new promise fails with that
  /// error.
  public func get(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (Success) throws(Failure) -> Void
  ) -> Promise {
    map(on: placement, file: file, line: line) { value throws(Failure) in
      try handler(value)
      return value
    }
  }

  /// Calls `handler` with the result of the promise, then passes the result on.
  @inlinable
  @discardableResult
  public func tap(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (Result<Success, Failure>) -> Void
  ) -> Promise {
    linkImmediate(on: placement, .any, Site(file, line), Tapping(handler: handler))
  }

  /// Rust's name for `tap`.
  @inlinable
  @discardableResult
  public func inspect(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (Result<Success, Failure>) -> Void
  ) -> Promise {
    tap(on: placement, file: file, line: line, handler)
  }

  /// Ends a chain: calls `handler` with the value, and discards the value.
  @inlinable
  @discardableResult
  public func done(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (Success) throws(Failure) -> Void
  ) -> Promise<Void, Failure> {
    linkImmediate(on: placement, .success, Site(file, line), Finishing(handler: handler))
  }

  /// Calls `handler` once with the result of the promise.
  ///
  /// - Returns: a promise that is fulfilled when `handler` has returned. If you cancel it before `handler` starts,
  ///   `handler` is not called.
  @inlinable
  @discardableResult
  public func whenComplete(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (Result<Success, Failure>) -> Void
  ) -> Promise<Void, Never> {
    linkImmediate(on: placement, [.any, .observer], Site(file, line), Observing(handler: handler))
  }
}

/// The step of `done`. It is not a `Mapping` to nothing, because another closure would then wrap the handler. Its outcome is
/// written out as in `Mapping`: a function for both would retain the handler at each call.
@usableFromInline
struct Finishing<Input: Sendable, Failure: Error>: ImmediateStep {
  @usableFromInline let handler: @Sendable (Input) throws(Failure) -> Void

  @inlinable
  init(handler: @escaping @Sendable (Input) throws(Failure) -> Void) { self.handler = handler }

  @inlinable
  func outcome(of result: Result<Input, Failure>) -> Result<Void, Failure> {
    switch result {
    case .success(let value):
      do throws(Failure) {
        return .success(try handler(value))
      } catch {
        return .failure(error)
      }
    case .failure(let error): return .failure(error)
    }
  }
}

@usableFromInline
struct Tapping<Success: Sendable, Failure: Error>: ImmediateStep {
  @usableFromInline let handler: @Sendable (Result<Success, Failure>) -> Void

  @inlinable
  init(handler: @escaping @Sendable (Result<Success, Failure>) -> Void) {
    self.handler = handler
  }

  @inlinable
  func outcome(of result: Result<Success, Failure>) -> Result<Success, Failure> {
    handler(result)
    return result
  }
}

@usableFromInline
struct Observing<Success: Sendable, Failure: Error>: ImmediateStep {
  @usableFromInline let handler: @Sendable (Result<Success, Failure>) -> Void

  @inlinable
  init(handler: @escaping @Sendable (Result<Success, Failure>) -> Void) {
    self.handler = handler
  }

  @inlinable
  func outcome(of result: Result<Success, Failure>) -> Result<Void, Never> {
    handler(result)
    return .success(())
  }

  @inlinable
  func run(_ result: Result<Success, Failure>, _ next: PromiseStorage<Void, Never>) {
    if case .failure = result { next.takeFailure() }
    next.conclude(outcome(of: result))
  }
}
