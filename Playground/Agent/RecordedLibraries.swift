import AsyncRuntime
import SwiftTasks
import TraceModel

/// The events that libraries reported in a recorded program.
///
/// This structure also stores for which library step each thread and task ran.
struct RecordedLibraries {
  /// When the recording began.
  let start: Instant
  /// The bytes of the event that each thread is reporting.
  private var parts: [UInt32: [UInt8]] = [:]
  /// The spans of the trace, by the spans of the libraries.
  private var spans: [Span: Span] = [:]
  /// The library span whose code acts on each thread.
  private var actors: [UInt32: Span] = [:]
  /// The library span for which each task runs.
  private var spansOfTasks: [UInt32: Span] = [:]

  init(of recording: TaskRecords) {
    start = Instant(nanoseconds: recording.start)
    var (spansOfThreads, started): ([UInt32: Span], Set<UInt32>) = ([:], [])
    for record in recording.records {
      if case .onBehalf(let span, _) = record.kind {
        spansOfThreads[record.thread] = Span(id: span)
      }
      guard case .started = record.kind, started.insert(record.task).inserted else { continue }
      spansOfTasks[record.task] = spansOfThreads[record.thread]
    }
  }

  /// Notes that code of the library span `actor` acts on a thread from now on.
  mutating func note(actor: UInt32, of thread: UInt32) { actors[thread] = Span(id: actor) }

  /// The span whose code acts on a thread; nil if no library has reported one.
  func actor(on thread: UInt32) -> Span? { actors[thread].flatMap { spans[$0] } }

  /// The span for which a library runs a task; nil if no library has reported one.
  func span(ofTask task: UInt32) -> Span? { spansOfTasks[task].flatMap { spans[$0] } }

  /// Adds the bytes of a record to the event that its thread is reporting.
  ///
  /// - Returns: that event, as the library reported it, if it is complete; else nil.
  mutating func event(completedBy record: TaskRecord, _ bytes: [UInt8]) -> TraceEvent? {
    if record.other == 0 { parts[record.thread] = [] }
    parts[record.thread]?.append(contentsOf: bytes)
    let reported = parts[record.thread]?.withUnsafeBytes {
      TraceEvent(
        $0, on: Lane(number: record.thread), at: Instant(nanoseconds: record.time))
    }
    guard let event = reported ?? nil else { return nil }
    parts[record.thread] = nil
    return event
  }

  /// Notes which span of the trace stands for a span of a library.
  mutating func note(_ reported: Span, as span: Span) { spans[reported] = span }

  /// The event with the spans and times of the trace.
  func translated(_ event: TraceEvent) -> TraceEvent {
    var event = event
    event.span = own(event.span)
    event.parent = own(event.parent)
    event.cause = Cause(event.cause.kind, own(event.cause.span))
    event.after = Cause(event.after.kind, own(event.after.span))
    if event.since != .zero {
      event.since = Instant.zero.advanced(by: start.duration(to: event.since))
    }
    return event
  }

  private func own(_ span: Span) -> Span { spans[span] ?? .none }
}
