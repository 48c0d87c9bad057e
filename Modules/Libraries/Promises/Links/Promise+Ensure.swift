public import AsyncRuntime

extension Promise {
  /// Runs `handler` whatever comes of the promise, and passes the result on after that.
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

  /// Runs `handler` whatever comes of the promise, and passes the result on once the promise that it
  /// returned is settled. A failure of that takes the place of a value, not of a failure.
  @discardableResult
  public func ensureThen<Other: Sendable>(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable () -> Promise<Other, Failure>
  ) -> Promise {
    link(on: placement, .any, Site(file, line)) { result, next in
      let failure = next.way
      let cleanedUp: Promise = handler().link(on: .inline, .any, Site(file, line)) {
        cleanup, next in
        if case .failure(let error) = cleanup, case .success = result {
          next.settle(.failure(error))
        } else if case .failure = result {
          // What the cleaning up may have failed with is not told.
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
