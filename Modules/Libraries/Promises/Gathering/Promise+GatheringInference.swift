public import AsyncRuntime

// The same functions for closures that do not throw. `Links/Promise+Inference.swift` explains why they exist.

extension Promise {
  @_disfavoredOverload
  @_documentation(visibility: internal)
  public static func map<Element: Sendable, Source: Sequence & Sendable>(
    _ elements: Source, width: Int, on placement: Placement? = nil,
    runtime: (any Runtime)? = nil, cancellation: Cancellation? = nil,
    whenUnused: UnusedPolicy = .keep, file: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @Sendable (Source.Element) -> Promise<Element, Failure>
  ) -> Promise where Success == [Element] {
    let throwing: @Sendable (Source.Element) throws(Failure) -> Promise<Element, Failure> =
      transform
    return map(
      elements, width: width, on: placement, runtime: runtime, cancellation: cancellation,
      whenUnused: whenUnused, file: file, line: line, throwing)
  }

  @_disfavoredOverload
  @_documentation(visibility: internal)
  public static func filter<Element: Sendable, Source: Sequence<Element> & Sendable>(
    _ elements: Source, width: Int, on placement: Placement? = nil,
    runtime: (any Runtime)? = nil, cancellation: Cancellation? = nil,
    whenUnused: UnusedPolicy = .keep, file: StaticString = #fileID, line: UInt = #line,
    _ isIncluded: @escaping @Sendable (Element) -> Promise<Bool, Failure>
  ) -> Promise where Success == [Element] {
    let throwing: @Sendable (Element) throws(Failure) -> Promise<Bool, Failure> = isIncluded
    return filter(
      elements, width: width, on: placement, runtime: runtime, cancellation: cancellation,
      whenUnused: whenUnused, file: file, line: line, throwing)
  }

  @_disfavoredOverload
  @_documentation(visibility: internal)
  public static func each<Ignored: Sendable, Source: Sequence & Sendable>(
    _ elements: Source, width: Int = 1, on placement: Placement? = nil,
    runtime: (any Runtime)? = nil, cancellation: Cancellation? = nil,
    whenUnused: UnusedPolicy = .keep, file: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable (Source.Element) -> Promise<Ignored, Failure>
  ) -> Promise where Success == Void {
    let throwing: @Sendable (Source.Element) throws(Failure) -> Promise<Ignored, Failure> = body
    return each(
      elements, width: width, on: placement, runtime: runtime, cancellation: cancellation,
      whenUnused: whenUnused, file: file, line: line, throwing)
  }

  @_disfavoredOverload
  @_documentation(visibility: internal)
  public static func reduce<Source: Sequence & Sendable>(
    _ elements: Source, _ initial: Success, on placement: Placement? = nil,
    runtime: (any Runtime)? = nil, cancellation: Cancellation? = nil,
    whenUnused: UnusedPolicy = .keep, file: StaticString = #fileID, line: UInt = #line,
    _ combine: @escaping @Sendable (Success, Source.Element) -> Promise
  ) -> Promise {
    let throwing: @Sendable (Success, Source.Element) throws(Failure) -> Promise = combine
    return reduce(
      elements, initial, on: placement, runtime: runtime, cancellation: cancellation,
      whenUnused: whenUnused, file: file, line: line, throwing)
  }
}

extension SelectClause {
  @_disfavoredOverload
  @_documentation(visibility: internal)
  public static func when<Input: Sendable>(
    _ promise: Promise<Input, Failure>, on placement: Placement? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    _ transform: @escaping @Sendable (Input) -> Output
  ) -> SelectClause {
    let throwing: @Sendable (Input) throws(Failure) -> Output = transform
    return when(promise, on: placement, file: file, line: line, throwing)
  }
}
