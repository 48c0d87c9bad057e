/// Where a runtime and the kernel tell what happens.
///
/// `record` is called from any thread, often, and on the path of what is measured: it must not block,
/// and it must not call back into what it watches.
public protocol TraceSink: Sendable {
  func record(_ event: TraceEvent)
}
