extension Promise {
  /// The same promise with the failure type `any Error`.
  public func eraseToAnyError(
    file: StaticString = #fileID, line: UInt = #line
  ) -> Promise<Success, any Error> {
    link(on: .inline, .failure, Site(file, line)) { result, next in
      switch result {
      case .success(let value): next.settle(.success(value))
      case .failure(let error): next.settle(.failure(error))
      }
    }
  }
}

extension Promise where Failure == Never {
  /// The same promise with the failure type `type`. The promise still cannot fail.
  public func setFailureType<NewFailure: Error>(
    to type: NewFailure.Type, file: StaticString = #fileID, line: UInt = #line
  ) -> Promise<Success, NewFailure> {
    link(on: .inline, .failure, Site(file, line)) { result, next in
      switch result {
      case .success(let value): next.settle(.success(value))
      }
    }
  }
}
