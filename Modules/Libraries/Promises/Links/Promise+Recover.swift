public import AsyncRuntime

extension Promise {
  /// A promise that has a value where this one fails: what `transform` makes of the error, also of a
  /// cancellation. If `transform` throws nothing, the new promise cannot fail.
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

  /// A promise that has a value where this one fails with an error of type `type`; other errors pass by.
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

  /// A promise that has a value where this one fails with an error that meets `condition`; other errors pass
  /// by.
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

  /// A promise that is settled, where this one fails, as the promise that `transform` makes of the error;
  /// also of a cancellation.
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

  /// A promise that fails with what `transform` makes of the error.
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
