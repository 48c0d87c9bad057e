/// Records what happens in a runtime and in the kernel.
///
/// `record` is called often, from any thread, and as a part of what is measured. It must not block, and it must not
/// call back into the recorded code.
public protocol TraceSink: AnyObject, Sendable {
  /// Takes an event. The events of one thread arrive in order. Events of several threads arrive in
  /// parallel, so an earlier event may be recorded shortly after a later one.
  func record(_ event: consuming TraceEvent)

  /// Makes a new span for an object that is not a step of a run, such as a layer and its displays.
  /// No step uses its number.
  ///
  /// - Returns: `.none` if the sink has no such spans, which is the default. The caller then
  ///   records nothing for the object.
  func nextSpan() -> Span
}

extension TraceSink {
  public func nextSpan() -> Span { .none }
}

extension Span {
  /// Whether it is a span outside runs.
  package var isOutsideRuns: Bool { id & 0x8000_0000 != 0 }

  /// The `number`-th span outside runs, counted from 1.
  public static func outsideRuns(_ number: UInt32) -> Span { Span(id: 0x8000_0000 | number) }
}
