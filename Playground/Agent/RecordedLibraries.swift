import AsyncRuntime
import SwiftTasks
import TraceModel

/// What libraries have reported in a recorded program, and for which of their spans threads ran that ran no task.
struct RecordedLibraries {
  /// When the recording began.
  let start: Instant
  /// What has come of the event that each thread reports.
  private var parts: [UInt32: [UInt8]] = [:]
  /// The spans of the trace, by those that libraries have given numbers.
  private var spans: [Span: Span] = [:]
  /// Those whose code acts on threads.
  private var actors: [UInt32: Span] = [:]
  /// The spans for which libraries run tasks.
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

  /// The code of that span acts on a thread from now on.
  mutating func note(actor: UInt32, of thread: UInt32) { actors[thread] = Span(id: actor) }

  /// The span whose code acts on a thread; nil if it is none, or one that was not reported.
  func actor(on thread: UInt32) -> Span? { actors[thread].flatMap { spans[$0] } }

  /// For which span a library runs a task; nil as above.
  func span(ofTask task: UInt32) -> Span? { spansOfTasks[task].flatMap { spans[$0] } }

  /// The event whose last bytes a record has, as the library has reported it.
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

  /// The number of a library stands for that span from now on.
  mutating func note(_ number: Span, as span: Span) { spans[number] = span }

  /// The event with spans and times of the trace.
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
