/// Where a runtime and the kernel tell what happens.
///
/// `record` is called from any thread, often, and on the path of what is measured: it must not block,
/// and it must not call back into what it watches.
public protocol TraceSink: AnyObject, Sendable {
  /// Takes an event. Those of one thread come in their order; those of several come side by side, so
  /// that an event may be recorded a little after a later one.
  func record(_ event: consuming TraceEvent)
}
