public import AsyncRuntime

extension Promise {
  /// A promise for the result of the promise that `transform` returns for this promise's value.
  ///
  /// `transform` can throw an error of type `Failure`. If this promise fails, its failure passes through without a hop.
  /// If `transform` returns a promise that waits for the new one, the new one fails with `PromiseCycle`, see
  /// `Resolver.resolve(with:)`.
  @inlinable
  public func then<NewSuccess: Sendable>(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @Sendable (Success) throws(Failure) -> Promise<NewSuccess, Failure>
  ) -> Promise<NewSuccess, Failure> {
    link(on: placement, .success, Site(file, line), Chaining(transform: transform))
  }

  /// The name of `then` in Combine and SwiftNIO.
  @inlinable
  public func flatMap<NewSuccess: Sendable>(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @Sendable (Success) throws(Failure) -> Promise<NewSuccess, Failure>
  ) -> Promise<NewSuccess, Failure> {
    then(on: placement, file: file, line: line, transform)
  }
}

@usableFromInline
struct Chaining<Input: Sendable, Failure: Error, Output: Sendable>: LinkStep {
  @usableFromInline let transform: @Sendable (Input) throws(Failure) -> Promise<Output, Failure>

  @inlinable
  init(transform: @escaping @Sendable (Input) throws(Failure) -> Promise<Output, Failure>) {
    self.transform = transform
  }

  @inlinable
  func run(_ result: Result<Input, Failure>, _ next: PromiseStorage<Output, Failure>) {
    switch result {
    case .success(let value):
      do throws(Failure) {
        next.adopt(try transform(value).storage)
      } catch {
        next.settle(.failure(error))
      }
    case .failure(let error): next.settle(.failure(error))
    }
  }
}
