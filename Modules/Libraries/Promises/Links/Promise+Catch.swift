public import AsyncRuntime

/// The errors that a `catch` passes to its handler.
public enum CatchPolicy: Sendable {
  /// All errors except cancellations, which the program itself requested.
  case failures
  /// All errors, including cancellations.
  case all
}

extension Promise {
  /// Calls `handler` with the error if the promise fails. The new promise has the same result, after `handler` has
  /// returned.
  ///
  /// - Parameter policy: whether a cancellation counts as an error here.
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

  /// Calls `handler` with the error if the promise fails with an error of type `type`. The new promise has the same
  /// result.
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

  /// Calls `handler` with the error if the promise fails with an error that meets `condition`. The new promise has the
  /// same result.
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
