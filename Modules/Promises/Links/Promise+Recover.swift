extension Promise {
  /// A promise that has a value where this one fails: what `transform` makes of the error. If
  /// `transform` throws nothing, the new promise cannot fail.
  public func recover<NewFailure: Error>(
    on placement: Placement? = nil,
    _ transform: @escaping @Sendable (Failure) throws(NewFailure) -> Success
  ) -> Promise<Success, NewFailure> {
    derive { [context] result, next in
      switch result {
      case .success(let value): next.settle(.success(value))
      case .failure(let error):
        context.run(on: placement) {
          do throws(NewFailure) {
            next.settle(.success(try transform(error)))
          } catch {
            next.settle(.failure(error))
          }
        }
      }
    }
  }

  /// A promise that fails with what `transform` makes of the error.
  public func mapError<NewFailure: Error>(
    on placement: Placement? = nil,
    _ transform: @escaping @Sendable (Failure) -> NewFailure
  ) -> Promise<Success, NewFailure> {
    derive { [context] result, next in
      switch result {
      case .success(let value): next.settle(.success(value))
      case .failure(let error):
        context.run(on: placement) { next.settle(.failure(transform(error))) }
      }
    }
  }

  /// Tells `handler` the error, if the promise fails, and passes the result on after that.
  @discardableResult
  public func `catch`(
    on placement: Placement? = nil, _ handler: @escaping @Sendable (Failure) -> Void
  ) -> Promise {
    derive { [context] result, next in
      guard case .failure(let error) = result else { return next.settle(result) }
      context.run(on: placement) {
        handler(error)
        next.settle(result)
      }
    }
  }

  /// Runs `handler` whatever comes of the promise, and passes the result on after that.
  @discardableResult
  public func ensure(
    on placement: Placement? = nil, _ handler: @escaping @Sendable () -> Void
  ) -> Promise {
    derive { [context] result, next in
      context.run(on: placement) {
        handler()
        next.settle(result)
      }
    }
  }

  /// Tells `handler` once what came of the promise.
  public func whenComplete(
    on placement: Placement? = nil,
    _ handler: @escaping @Sendable (Result<Success, Failure>) -> Void
  ) {
    storage.listen { [context] result in context.run(on: placement) { handler(result) } }
  }
}

extension Promise where Failure == Never {
  @available(*, unavailable, message: "a promise that cannot fail has nothing to catch")
  @discardableResult
  public func `catch`(
    on placement: Placement? = nil, _ handler: @escaping @Sendable (Never) -> Void
  ) -> Promise { self }
}
