public import AsyncRuntime

/// Which errors a `catch` is told.
public enum CatchPolicy: Sendable {
  /// All but cancellations: nobody need be told what somebody asked for.
  case failures
  /// Cancellations, too.
  case all
}

extension Promise {
  /// Tells `handler` the error, if the promise fails, and passes the result on after that.
  ///
  /// - Parameter policy: whether that a promise was cancelled counts as an error here.
  @discardableResult
  public func `catch`(
    _ policy: CatchPolicy = .failures, on placement: Placement? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (Failure) -> Void
  ) -> Promise {
    link(on: placement, .failure, Site(file, line)) { result, next in
      if case .failure(let error) = result, policy == .all || !(error is CancellationError) {
        next.takeFailure()
        handler(error)
      }
      next.settle(result)
    }
  }

  /// Tells `handler` the error, if the promise fails with one of type `type`, and passes the result on.
  @discardableResult
  public func `catch`<Caught: Error>(
    _ type: Caught.Type, on placement: Placement? = nil, file: StaticString = #fileID,
    line: UInt = #line, _ handler: @escaping @Sendable (Caught) -> Void
  ) -> Promise {
    link(on: placement, .failure, Site(file, line)) { result, next in
      if case .failure(let error) = result, let caught = error as? Caught {
        next.takeFailure()
        handler(caught)
      }
      next.settle(result)
    }
  }

  /// Tells `handler` the error, if the promise fails with one that meets `condition`, and passes the result
  /// on.
  @discardableResult
  public func `catch`(
    where condition: @escaping @Sendable (Failure) -> Bool, on placement: Placement? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (Failure) -> Void
  ) -> Promise {
    link(on: placement, .failure, Site(file, line)) { result, next in
      if case .failure(let error) = result, condition(error) {
        next.takeFailure()
        handler(error)
      }
      next.settle(result)
    }
  }
}

extension Promise where Failure == Never {
  @available(*, unavailable, message: "a promise that cannot fail has nothing to catch")
  @discardableResult
  public func `catch`(
    on placement: Placement? = nil, _ handler: @escaping @Sendable (Never) -> Void
  ) -> Promise { self }
}
