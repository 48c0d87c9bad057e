/// Records what happens in a runtime and in the kernel.
///
/// `record` is called often, from any thread, and as a part of what is measured. It must not block, and it must not
/// call back into the recorded code.
public protocol TraceSink: AnyObject, Sendable {
  /// Takes an event. The events of one thread arrive in order. Events of several threads arrive in
  /// parallel, so an earlier event may be recorded shortly after a later one.
  func record(_ event: consuming TraceEvent)

  /// Makes a new span for an object that is not a step of a run, such as a layer and its displays.
  /// No step uses the span's number.
  ///
  /// - Returns: `.none` if the sink has no such spans, which is the default. The caller then
  ///   records nothing for the object.
  func nextSpan() -> Span

  /// Makes spans for the next `count` steps of a run, with consecutive numbers.
  ///
  /// A sink that records several runs as one trace makes them, so that the steps of two runs differ.
  ///
  /// - Returns: the first of them; `.none` if each run numbers its own steps, which is the default.
  func nextSpans(ofRun count: UInt32) -> Span
}

extension TraceSink {
  public func nextSpan() -> Span { .none }
  public func nextSpans(ofRun count: UInt32) -> Span { .none }
}

extension Span {
  /// The `number`-th span outside runs, counted from 1.
  public static func outsideRuns(_ number: UInt32) -> Span { Span(id: 0x8000_0000 | number) }
}
