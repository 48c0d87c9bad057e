public import AsyncRuntime

// The same function for a closure that does not throw. `Links/Promise+Inference.swift` explains why it exists.

extension Promise {
  @_disfavoredOverload
  @_documentation(visibility: internal)
  public static func retry(
    _ count: Int, backoff: Backoff = Backoff(),
    using generator: (any RandomNumberGenerator & Sendable)? = nil,
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    cancellation: Cancellation? = nil, whenUnused: UnusedPolicy = .keep,
    file: StaticString = #fileID, line: UInt = #line,
    while condition: @escaping @Sendable (Failure) -> Bool = { _ in true },
    _ attempt: @escaping @Sendable (Int) -> Promise
  ) -> Promise {
    let throwing: @Sendable (Int) throws(Failure) -> Promise = attempt
    return retry(
      count, backoff: backoff, using: generator, on: placement, runtime: runtime,
      cancellation: cancellation, whenUnused: whenUnused, file: file, line: line, while: condition,
      throwing)
  }
}
