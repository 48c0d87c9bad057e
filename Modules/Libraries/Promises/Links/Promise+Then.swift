public import AsyncRuntime

extension Promise {
  /// A promise for what the promise that `transform` returns comes to.
  ///
  /// `transform` may throw what the promise may fail with; a failure passes by without a hop. If it returns
  /// a promise that waits for the one made here, that fails with `PromiseCycle`, see
  /// `Resolver.resolve(with:)`.
  @inlinable
  public func then<NewSuccess: Sendable>(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @Sendable (Success) throws(Failure) -> Promise<NewSuccess, Failure>
  ) -> Promise<NewSuccess, Failure> {
    link(on: placement, .success, Site(file, line), Chaining(transform: transform))
  }

  /// The name that Combine and SwiftNIO have for `then`.
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
