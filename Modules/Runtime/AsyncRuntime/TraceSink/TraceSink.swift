/// Where a runtime and the kernel tell what happens.
///
/// `record` is called from any thread, often, and on the path of what is measured: it must not block,
/// and it must not call back into what it watches.
public protocol TraceSink: AnyObject, Sendable {
  /// Takes an event. Those of one thread come in their order; those of several come side by side, so
  /// that an event may be recorded a little after a later one.
  func record(_ event: consuming TraceEvent)

  /// A place in the trace for what is no step of a run, such as a layer and what is drawn of it: another one
  /// each time, and none that a run has.
  ///
  /// - Returns: `.none` from a sink that has no such places, which is what happens unless a sink says otherwise;
  ///   what would have one does not tell of itself then.
  func nextSpan() -> Span
}

extension TraceSink {
  public func nextSpan() -> Span { .none }
}

extension Span {
  /// Whether it is one of those that no run has.
  package var isOutsideRuns: Bool { id & 0x8000_0000 != 0 }

  /// The `number`-th of those that no run has; they begin with 1.
  public static func outsideRuns(_ number: UInt32) -> Span { Span(id: 0x8000_0000 | number) }
}
