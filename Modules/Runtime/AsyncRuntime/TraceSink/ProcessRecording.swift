internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#endif

/// The recording of the process that `playground record` runs: it gets what libraries do on a live runtime.
///
/// The library that records is loaded into the process, and knows only what tasks do. It is found by the names of its
/// functions, which change when `TraceEvent.withBytes` does.
final class ProcessRecording: TraceSink {
  /// Nil in a process that is not recorded.
  static let current = ProcessRecording()

  private typealias Record = @convention(c) (Int64, UnsafeRawPointer, Int) -> Void
  private typealias Introduce = @convention(c) (@convention(c) () -> UInt64) -> Bool

  private let record: Record
  // A recorder that the program has made itself counts from 1.
  private let spanCount = Atomic<UInt32>(1 << 27)

  private init?() {
    #if canImport(Glibc)
      guard let introduce = dlsym(nil, "playground_agent_introduce_1"),
        let record = dlsym(nil, "playground_agent_recordEvent_1"),
        unsafeBitCast(introduce, to: Introduce.self)({ LaneContext.current.actorAndSpan })
      else { return nil }
      self.record = unsafeBitCast(record, to: Record.self)
    #else
      return nil
    #endif
  }

  /// Runs of composed steps number their spans anew each, and are left out.
  func record(_ event: consuming TraceEvent) {
    guard event.span == .none || event.span.isOutsideRuns else { return }
    let time = event.time.nanoseconds
    event.withBytes { record(time, $0.baseAddress!, $0.count) }
  }

  func nextSpan() -> Span { .outsideRuns(spanCount.add(1, ordering: .relaxed).newValue) }
}

extension LaneContext {
  /// The span that acts, above the one that the code runs for.
  fileprivate var actorAndSpan: UInt64 {
    UInt64(causality.actor.id) << 32 | UInt64(causality.span.id)
  }
}
