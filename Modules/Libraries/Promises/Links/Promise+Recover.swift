public import AsyncRuntime

extension Promise {
  /// A promise that replaces a failure of this one with the value that `transform` returns for the error. A
  /// cancellation counts as an error. If `transform` does not throw, the new promise cannot fail.
  public func recover<NewFailure: Error>(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @Sendable (Failure) throws(NewFailure) -> Success
  ) -> Promise<Success, NewFailure> {
    link(on: placement, .failure, Site(file, line)) { result, next in
      switch result {
      case .success(let value): next.settle(.success(value))
      case .failure(let error):
        next.replaceFailure()
        do throws(NewFailure) {
          next.settle(.success(try transform(error)))
        } catch {
          next.settle(.failure(error))
        }
      }
    }
  }

  /// A promise that replaces a failure of this one with a value, if the error has the type `type`. Other errors pass
  /// through.
  public func recover<Caught: Error>(
    from type: Caught.Type, on placement: Placement? = nil, file: StaticString = #fileID,
    line: UInt = #line, _ transform: @escaping @Sendable (Caught) throws(Failure) -> Success
  ) -> Promise {
    link(on: placement, .failure, Site(file, line)) { result, next in
      guard case .failure(let error) = result, let caught = error as? Caught else {
        next.settle(result)
        return
      }
      next.replaceFailure()
      do throws(Failure) {
        next.settle(.success(try transform(caught)))
      } catch {
        next.settle(.failure(error))
      }
    }
  }

  /// A promise that replaces a failure of this one with a value, if the error meets `condition`. Other errors pass
  /// through.
  public func recover(
    where condition: @escaping @Sendable (Failure) -> Bool, on placement: Placement? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @Sendable (Failure) throws(Failure) -> Success
  ) -> Promise {
    link(on: placement, .failure, Site(file, line)) { result, next in
      guard case .failure(let error) = result, condition(error) else {
        next.settle(result)
        return
      }
      next.replaceFailure()
      do throws(Failure) {
        next.settle(.success(try transform(error)))
      } catch {
        next.settle(.failure(error))
      }
    }
  }

  /// A promise that replaces a failure of this one with the result of another promise. `transform` returns that promise
  /// for the error. A cancellation counts as an error.
  public func flatMapError<NewFailure: Error>(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @Sendable (Failure) throws(NewFailure) -> Promise<Success, NewFailure>
  ) -> Promise<Success, NewFailure> {
    link(on: placement, .failure, Site(file, line)) { result, next in
      switch result {
      case .success(let value): next.settle(.success(value))
      case .failure(let error):
        next.replaceFailure()
        do throws(NewFailure) {
          next.adopt(try transform(error).storage)
        } catch {
          next.settle(.failure(error))
        }
      }
    }
  }

  /// A promise that replaces the error of this one with the error that `transform` returns.
  public func mapError<NewFailure: Error>(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @Sendable (Failure) -> NewFailure
  ) -> Promise<Success, NewFailure> {
    link(on: placement, .failure, Site(file, line)) { result, next in
      next.replaceFailure()
      next.settle(result.mapError(transform))
    }
  }
}
