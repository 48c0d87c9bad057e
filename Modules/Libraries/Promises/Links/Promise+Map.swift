public import AsyncRuntime

extension Promise {
  /// A promise for the value that `transform` returns for this promise's value.
  ///
  /// `transform` can throw an error of type `Failure`. If this promise fails, its failure passes through without a hop.
  @inlinable
  public func map<NewSuccess: Sendable>(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @Sendable (Success) throws(Failure) -> NewSuccess
  ) -> Promise<NewSuccess, Failure> {
    linkImmediate(on: placement, .success, Site(file, line), Mapping(transform: transform))
  }

  /// A promise for the value that `transform` returns for this promise's value. `transform` can throw any error.
  public func tryMap<NewSuccess: Sendable>(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @Sendable (Success) throws -> NewSuccess
  ) -> Promise<NewSuccess, any Error> {
    link(on: placement, .success, Site(file, line)) { result, next in
      next.settle(Result { try transform(try result.get()) })
    }
  }
}

@usableFromInline
struct Mapping<Input: Sendable, Failure: Error, Output: Sendable>: ImmediateStep {
  @usableFromInline let transform: @Sendable (Input) throws(Failure) -> Output

  @inlinable
  init(transform: @escaping @Sendable (Input) throws(Failure) -> Output) {
    self.transform = transform
  }

  @inlinable
  func outcome(of result: Result<Input, Failure>) -> Result<Output, Failure> {
    switch result {
    case .success(let value):
      do throws(Failure) {
        return .success(try transform(value))
      } catch {
        return .failure(error)
      }
    case .failure(let error): return .failure(error)
    }
  }
}
