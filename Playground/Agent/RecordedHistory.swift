import AsyncRuntime
import SwiftTasks
import TraceModel

/// The events of a recorded program: what each task did, and why it could.
struct RecordedHistory {
  private(set) var events: [TraceEvent] = []
  /// When the last record was written.
  private(set) var end = Instant.zero

  private struct Entry {
    let span: Span
    var isStarted = false
    var isRunning = false
    /// Since when it is ready, and because of what; nil once it runs.
    var ready: (time: Instant, cause: Cause)?
    /// Where the event stands that says that it was suspended.
    var suspension: Int?
    var lastEnd = Instant.zero
    /// The thread that it ran on last.
    var thread: UInt32?
  }

  private let names: RecordedNames
  /// The tasks of the runtime that wake others from a sleep, and those.
  private var sleepers: [UInt32: UInt32] = [:]
  private var entries: [UInt32: Entry] = [:]
  private var executors: [UInt: Span] = [:]
  private var taken: [String: Int] = [:]
  private var spanCount: UInt32 = 1
  private let program = Span.outsideRuns(1)
  /// The span that ran last on a thread, and on an executor, and until when.
  private var lastOnThread: [UInt32: (span: Span, end: Instant)] = [:]
  private var lastOnExecutor: [UInt: (span: Span, end: Instant)] = [:]
  private var executorOfTask: [UInt32: UInt] = [:]

  /// - Parameter endedByItself: whether the program ended its process.
  init(
    of records: [TaskRecord], program name: String, names: RecordedNames, endedByItself: Bool
  ) {
    self.names = names
    for record in records {
      if case .sleeps = record.kind { sleepers[record.task] = record.other }
    }
    append(.submitted(program, in: .none, label: name, kind: "program", at: .zero), on: 0)
    append(.started(program, at: .zero), on: 0)
    end = Instant(nanoseconds: records.last?.time ?? 0)
    let records = Self.withCompletions(records)
    let endings = Self.tasksThatEnd(records)
    for (index, record) in records.enumerated() { add(record, causeEnds: endings[index]) }
    guard endedByItself else { return }
    for entry in entries.values.filter(\.isRunning).sorted(by: { $0.span < $1.span }) {
      append(.finished(entry.span, .success, at: end), on: 0)
    }
    append(.finished(program, .success, at: end), on: 0)
  }

  /// With a record for each completion, which the runtime does not show: a task that has started, and was not suspended,
  /// has completed when its thread runs another one. It has done so after what it has recorded last.
  private static func withCompletions(_ records: [TaskRecord]) -> [TaskRecord] {
    var running: [UInt32: (task: UInt32, last: Int)] = [:]
    var completions: [Int: TaskRecord] = [:]
    for (index, record) in records.enumerated() {
      switch record.kind {
      case .started:
        if let (task, last) = running[record.thread] {
          completions[last] = TaskRecord(
            time: records[last].time, thread: record.thread, task: task, other: 0, kind: .completed)
        }
        running[record.thread] = (record.task, index)
      case .suspended, .completed: running[record.thread] = nil
      default:
        if running[record.thread]?.task == record.other { running[record.thread]?.last = index }
      }
    }
    return records.enumerated().flatMap { [$1] + (completions[$0].map { [$0] } ?? []) }
  }

  /// For each record, whether the task that caused it completes in the same job.
  private static func tasksThatEnd(_ records: [TaskRecord]) -> [Bool] {
    var completes: [UInt32: Bool] = [:]
    var result = [Bool](repeating: false, count: records.count)
    for index in records.indices.reversed() {
      let record = records[index]
      switch record.kind {
      case .completed: completes[record.task] = true
      case .suspended: completes[record.task] = false
      case .ready: result[index] = completes[record.other] ?? false
      default: break
      }
    }
    return result
  }

  private mutating func append(_ event: TraceEvent, on thread: UInt32) {
    var event = event
    event.lane = Lane(number: thread)
    events.append(event)
  }

  private mutating func add(_ record: TaskRecord, causeEnds: Bool) {
    let time = Instant(nanoseconds: record.time)
    if sleepers[record.task] != nil { return }
    switch record.kind {
    case .created(let parent, _):
      if entries[record.task] == nil { create(record, parent, named: nil, at: time) }
    case .ready:
      let cause = cause(of: record, causeEnds)
      entries[record.task]?.ready = (time, cause)
    case .started(let executor, let type): start(record, on: executor, type, at: time)
    case .suspended: stop(record, at: time)
    case .completed:
      stop(record, at: time)
      guard let entry = entries.removeValue(forKey: record.task) else { return }
      append(.finished(entry.span, .success, at: time), on: record.thread)
    case .closure, .name, .sleeps: break
    }
  }

  private mutating func create(
    _ record: TaskRecord, _ parent: UInt32, named name: String?, at time: Instant
  ) {
    let span = nextSpan()
    entries[record.task] = Entry(span: span)
    let creator = entries[record.other]?.span ?? program
    append(
      .submitted(
        span, in: entries[parent]?.span ?? program,
        label: unique(name ?? names.ofTasks[record.task] ?? "task"),
        kind: "task", by: creator, at: time), on: record.thread)
  }

  private func cause(of record: TaskRecord, _ causeEnds: Bool) -> Cause {
    if sleepers[record.other] == record.task, let own = entries[record.task]?.span {
      return Cause(.timer, own)
    }
    guard let waker = entries[record.other]?.span else {
      // On its way to another executor, a task makes itself ready as soon as it is suspended.
      let own = entries[record.task]
      let isHop = own?.thread == record.thread && lastOnThread[record.thread]?.span == own?.span
      return isHop ? .itself : Cause(.wakeUp, .none)
    }
    if entries[record.task]?.isStarted == false { return Cause(.parent, waker) }
    return waker == entries[record.task]?.span ? .itself : Cause(causeEnds ? .end : .wakeUp, waker)
  }

  private mutating func start(
    _ record: TaskRecord, on executor: UInt, _ type: UInt, at time: Instant
  ) {
    // The task of `main` starts without being made ready, as does one that an executor of its own runs.
    if entries[record.task] == nil {
      create(record, 0, named: entries.isEmpty ? "main" : nil, at: time)
    }
    guard var entry = entries[record.task] else { return }
    let place = place(executor, type, at: time)
    // Without being made ready, it has waited in the queue of an actor since it arrived there.
    let isFromQueue = entry.ready == nil && entry.isStarted
    let ready = entry.ready ?? (entry.lastEnd, .itself)
    let holder =
      isFromQueue ? lastOnExecutor[executor] : lastOnThread[record.thread]
    let isQueued = holder.map { $0.end > ready.time && $0.span != entry.span } ?? false
    if entry.isStarted {
      note(reason(ready.cause, isFromQueue ? place : .none), of: entry)
      if isQueued, let holder {
        append(
          .resumed(
            entry.span, behind: holder.span, due: ready.time, set: ready.time,
            because: ready.cause, on: place, at: time), on: record.thread)
      } else {
        append(
          .resumed(entry.span, because: ready.cause, on: place, at: time), on: record.thread)
      }
    } else if isQueued, let holder {
      append(
        .started(
          entry.span, because: ready.cause, ready: ready.time, behind: holder.span, on: place,
          at: time), on: record.thread)
    } else {
      append(.started(entry.span, because: ready.cause, on: place, at: time), on: record.thread)
    }
    (entry.isStarted, entry.isRunning, entry.ready) = (true, true, nil)
    entries[record.task] = entry
    executorOfTask[record.task] = executor
  }

  private mutating func stop(_ record: TaskRecord, at time: Instant) {
    guard var entry = entries[record.task] else { return }
    lastOnThread[record.thread] = (entry.span, time)
    if let executor = executorOfTask[record.task], executor != 0 {
      lastOnExecutor[executor] = (entry.span, time)
    }
    (entry.isRunning, entry.lastEnd, entry.thread) = (false, time, record.thread)
    if case .suspended = record.kind {
      append(.suspended(entry.span, at: time), on: record.thread)
      entry.suspension = events.count - 1
    }
    entries[record.task] = entry
  }

  /// What a suspended task waited for, now that it continues.
  private func reason(_ cause: Cause, _ place: Span) -> String {
    switch cause.kind {
    case .timer: "its sleep"
    case .end: "“\(label(of: cause.span))”"
    case .wakeUp: "a continuation"
    default: place == .none ? "its executor" : label(of: place)
    }
  }

  private mutating func note(_ reason: String, of entry: Entry) {
    if let suspension = entry.suspension { events[suspension].detail = reason }
  }

  private var labels: [Span: String] = [:]

  private func label(of span: Span) -> String { labels[span] ?? "" }

  private mutating func place(_ executor: UInt, _ type: UInt, at time: Instant) -> Span {
    if executor == 0 { return .none }
    if let known = executors[executor] { return known }
    let span = nextSpan()
    executors[executor] = span
    append(
      .submitted(
        span, in: .none, label: unique(names.name(of: executor, type)), kind: "actor",
        role: .place, at: time), on: 0)
    return span
  }

  private mutating func nextSpan() -> Span {
    spanCount += 1
    return .outsideRuns(spanCount)
  }

  private mutating func unique(_ name: String) -> String {
    let count = taken[name, default: 0] + 1
    taken[name] = count
    let label = count == 1 ? name : "\(name) \(count)"
    labels[.outsideRuns(spanCount)] = label
    return label
  }
}
