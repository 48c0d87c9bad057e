public import AsyncRuntime

extension Promise {
  /// Shows `handler` the value and passes it on after that, or the error that `handler` throws.
  public func get(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (Success) throws(Failure) -> Void
  ) -> Promise {
    map(on: placement, file: file, line: line) { value throws(Failure) in
      try handler(value)
      return value
    }
  }

  /// Shows `handler` what came of the promise and passes it on after that.
  @inlinable
  @discardableResult
  public func tap(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (Result<Success, Failure>) -> Void
  ) -> Promise {
    linkAtOnce(on: placement, .any, Site(file, line), Tapping(handler: handler))
  }

  /// Rust's name for `tap`.
  @inlinable
  @discardableResult
  public func inspect(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (Result<Success, Failure>) -> Void
  ) -> Promise {
    tap(on: placement, file: file, line: line, handler)
  }

  /// The end of a chain: does something with the value and yields none.
  @inlinable
  @discardableResult
  public func done(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (Success) throws(Failure) -> Void
  ) -> Promise<Void, Failure> {
    map(on: placement, file: file, line: line, handler)
  }

  /// Tells `handler` once what came of the promise.
  ///
  /// - Returns: a promise that is fulfilled when `handler` has returned. Cancelling it takes `handler`
  ///   back.
  @inlinable
  @discardableResult
  public func whenComplete(
    on placement: Placement? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ handler: @escaping @Sendable (Result<Success, Failure>) -> Void
  ) -> Promise<Void, Never> {
    linkAtOnce(on: placement, [.any, .observer], Site(file, line), Telling(handler: handler))
  }
}

@usableFromInline
struct Tapping<Success: Sendable, Failure: Error>: ImmediateStep {
  @usableFromInline let handler: @Sendable (Result<Success, Failure>) -> Void

  @inlinable
  init(handler: @escaping @Sendable (Result<Success, Failure>) -> Void) {
    self.handler = handler
  }

  @inlinable
  func outcome(of result: Result<Success, Failure>) -> Result<Success, Failure> {
    handler(result)
    return result
  }
}

@usableFromInline
struct Telling<Success: Sendable, Failure: Error>: ImmediateStep {
  @usableFromInline let handler: @Sendable (Result<Success, Failure>) -> Void

  @inlinable
  init(handler: @escaping @Sendable (Result<Success, Failure>) -> Void) {
    self.handler = handler
  }

  @inlinable
  func outcome(of result: Result<Success, Failure>) -> Result<Void, Never> {
    handler(result)
    return .success(())
  }

  @inlinable
  func run(_ result: Result<Success, Failure>, _ next: PromiseStorage<Void, Never>) {
    if case .failure = result { next.takeFailure() }
    next.conclude(outcome(of: result))
  }
}
