extension Promise {
  /// A promise for what `transform` makes of the value.
  ///
  /// `transform` may throw what the promise may fail with; a failure passes by without a hop.
  public func map<NewSuccess: Sendable>(
    on placement: Placement? = nil,
    _ transform: @escaping @Sendable (Success) throws(Failure) -> NewSuccess
  ) -> Promise<NewSuccess, Failure> {
    onSuccess(placement) { value, next in
      do throws(Failure) {
        next.settle(.success(try transform(value)))
      } catch {
        next.settle(.failure(error))
      }
    }
  }

  /// A promise for what the promise that `transform` returns comes to.
  ///
  /// `transform` may throw what the promise may fail with; a failure passes by without a hop.
  public func then<NewSuccess: Sendable>(
    on placement: Placement? = nil,
    _ transform:
      @escaping @Sendable (Success) throws(Failure) -> Promise<NewSuccess, Failure>
  ) -> Promise<NewSuccess, Failure> {
    onSuccess(placement) { value, next in
      do throws(Failure) {
        next.adopt(try transform(value).storage)
      } catch {
        next.settle(.failure(error))
      }
    }
  }

  /// A promise for what `transform` makes of the value; it may throw anything.
  public func tryMap<NewSuccess: Sendable>(
    on placement: Placement? = nil,
    _ transform: @escaping @Sendable (Success) throws -> NewSuccess
  ) -> Promise<NewSuccess, any Error> {
    mapError(on: .inline) { $0 as any Error }.map(on: placement, transform)
  }

  private func onSuccess<NewSuccess: Sendable>(
    _ placement: Placement?,
    _ handler: @escaping @Sendable (Success, PromiseStorage<NewSuccess, Failure>) -> Void
  ) -> Promise<NewSuccess, Failure> {
    derive { [context] result, next in
      switch result {
      case .success(let value): context.run(on: placement) { handler(value, next) }
      case .failure(let error): next.settle(.failure(error))
      }
    }
  }

  /// The next promise of the chain, which `body` settles when this one is settled.
  func derive<NewSuccess: Sendable, NewFailure: Error>(
    _ body:
      @escaping @Sendable (
        Result<Success, Failure>, PromiseStorage<NewSuccess, NewFailure>
      ) -> Void
  ) -> Promise<NewSuccess, NewFailure> {
    let next = PromiseStorage<NewSuccess, NewFailure>(context)
    storage.listen { body($0, next) }
    return Promise<NewSuccess, NewFailure>(next)
  }
}
