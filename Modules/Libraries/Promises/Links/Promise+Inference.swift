public import AsyncRuntime

// The same operators for closures that do not throw. If a closure throws the chain's failure, the type of the closure
// is known only after the failure type is known. The compiler (6.3) cannot infer it in two cases: if the closure
// follows a gathering, or if the closure itself determines the failure type. Only then does the compiler use these
// overloads. They behave identically, so the documentation does not show them.

extension Promise {
  @_disfavoredOverload
  @_documentation(visibility: internal)
  public func map<NewSuccess: Sendable>(
    on placement: Placement? = nil, file: StaticString = #fileID,
    line: UInt = #line, _ transform: @escaping @Sendable (Success) -> NewSuccess
  ) -> Promise<NewSuccess, Failure> {
    let throwing: @Sendable (Success) throws(Failure) -> NewSuccess = transform
    return map(on: placement, file: file, line: line, throwing)
  }

  @_disfavoredOverload
  @_documentation(visibility: internal)
  public func then<NewSuccess: Sendable>(
    on placement: Placement? = nil, file: StaticString = #fileID,
    line: UInt = #line, _ transform: @escaping @Sendable (Success) -> Promise<NewSuccess, Failure>
  ) -> Promise<NewSuccess, Failure> {
    let throwing: @Sendable (Success) throws(Failure) -> Promise<NewSuccess, Failure> = transform
    return then(on: placement, file: file, line: line, throwing)
  }

  @_disfavoredOverload
  @_documentation(visibility: internal)
  public func flatMap<NewSuccess: Sendable>(
    on placement: Placement? = nil, file: StaticString = #fileID,
    line: UInt = #line, _ transform: @escaping @Sendable (Success) -> Promise<NewSuccess, Failure>
  ) -> Promise<NewSuccess, Failure> {
    let throwing: @Sendable (Success) throws(Failure) -> Promise<NewSuccess, Failure> = transform
    return flatMap(on: placement, file: file, line: line, throwing)
  }

  @_disfavoredOverload
  @_documentation(visibility: internal)
  public func compactMap<NewSuccess: Sendable>(
    orError error: @escaping @autoclosure @Sendable () -> Failure, on placement: Placement? = nil,
    file: StaticString = #fileID,
    line: UInt = #line, _ transform: @escaping @Sendable (Success) -> NewSuccess?
  ) -> Promise<NewSuccess, Failure> {
    let throwing: @Sendable (Success) throws(Failure) -> NewSuccess? = transform
    return compactMap(orError: error(), on: placement, file: file, line: line, throwing)
  }

  @_disfavoredOverload
  @_documentation(visibility: internal)
  public func get(
    on placement: Placement? = nil, file: StaticString = #fileID,
    line: UInt = #line, _ handler: @escaping @Sendable (Success) -> Void
  ) -> Promise {
    let throwing: @Sendable (Success) throws(Failure) -> Void = handler
    return get(on: placement, file: file, line: line, throwing)
  }

  @_disfavoredOverload
  @_documentation(visibility: internal)
  @discardableResult
  public func done(
    on placement: Placement? = nil, file: StaticString = #fileID,
    line: UInt = #line, _ handler: @escaping @Sendable (Success) -> Void
  ) -> Promise<Void, Failure> {
    let throwing: @Sendable (Success) throws(Failure) -> Void = handler
    return done(on: placement, file: file, line: line, throwing)
  }

  @_disfavoredOverload
  @_documentation(visibility: internal)
  public func recover<Caught: Error>(
    from type: Caught.Type, on placement: Placement? = nil, file: StaticString = #fileID,
    line: UInt = #line, _ transform: @escaping @Sendable (Caught) -> Success
  ) -> Promise {
    let throwing: @Sendable (Caught) throws(Failure) -> Success = transform
    return recover(from: type, on: placement, file: file, line: line, throwing)
  }

  @_disfavoredOverload
  @_documentation(visibility: internal)
  public func recover(
    where condition: @escaping @Sendable (Failure) -> Bool, on placement: Placement? = nil,
    file: StaticString = #fileID,
    line: UInt = #line, _ transform: @escaping @Sendable (Failure) -> Success
  ) -> Promise {
    let throwing: @Sendable (Failure) throws(Failure) -> Success = transform
    return recover(where: condition, on: placement, file: file, line: line, throwing)
  }

  @_disfavoredOverload
  @_documentation(visibility: internal)
  public func flatMapError<NewFailure: Error>(
    on placement: Placement? = nil, file: StaticString = #fileID,
    line: UInt = #line, _ transform: @escaping @Sendable (Failure) -> Promise<Success, NewFailure>
  ) -> Promise<Success, NewFailure> {
    let throwing: @Sendable (Failure) throws(NewFailure) -> Promise<Success, NewFailure> = transform
    return flatMapError(on: placement, file: file, line: line, throwing)
  }
}
