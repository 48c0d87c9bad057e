internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#endif

/// Sends the events of libraries on a live runtime to the recording of the process, if `playground
/// record` runs it.
///
/// The recorder is a shared library that is loaded into the process. This class finds its functions
/// by name. The names end in a number, which changes when the format of the events changes.
final class ProcessRecording: TraceSink {
  /// Nil in a process that is not recorded.
  static let current = ProcessRecording()

  private typealias Record = @convention(c) (Int64, UnsafeRawPointer, Int) -> Void
  private typealias Introduce = @convention(c) (@convention(c) () -> UInt64) -> Bool

  private let record: Record
  // Starts far from 1, the first number of a recorder that the program itself makes.
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

  func record(_ event: consuming TraceEvent) {
    let time = event.time.nanoseconds
    event.withBytes { record(time, $0.baseAddress!, $0.count) }
  }

  func nextSpan() -> Span { nextSpans(ofRun: 1) }

  func nextSpans(ofRun count: UInt32) -> Span {
    .outsideRuns(spanCount.add(count, ordering: .relaxed).oldValue + 1)
  }
}

extension LaneContext {
  /// The acting span in the upper half, and the span that the code runs for in the lower half.
  fileprivate var actorAndSpan: UInt64 {
    UInt64(causality.actor.id) << 32 | UInt64(causality.span.id)
  }
}
