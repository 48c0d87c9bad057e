public import AsyncRuntime

extension Promise {
  /// Calls `handler` when the promise is settled, with any result. The new promise has the same result, after `handler`
  /// has returned.
  @discardableResult
  public func ensure(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable () -> Void
  ) -> Promise {
    link(on: placement, .any, Site(file, line)) { result, next in
      handler()
      next.settle(result)
    }
  }

  /// JavaScript's name for `ensure`.
  @discardableResult
  public func finally(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable () -> Void
  ) -> Promise {
    ensure(on: placement, file: file, line: line, handler)
  }

  /// Calls `handler` when the promise is settled, with any result. The new promise has the same result, as soon as the
  /// promise that `handler` returned is settled. If that promise fails, its error replaces a value, but not a failure.
  @discardableResult
  public func ensureThen<Other: Sendable>(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable () -> Promise<Other, Failure>
  ) -> Promise {
    link(on: placement, .any, Site(file, line)) { result, next in
      let failure = next.failurePlace
      let cleanedUp: Promise = handler().link(on: .inline, .any, Site(file, line)) {
        cleanup, next in
        if case .failure(let error) = cleanup, case .success = result {
          next.settle(.failure(error))
        } else if case .failure = result {
          // If the clean-up has failed, too, its error is discarded here.
          next.takeFailure()
          next.inherit(failure)
          next.settle(result)
        } else {
          next.settle(result)
        }
      }
      next.adopt(cleanedUp.storage)
    }
  }
}
