import AsyncRuntime
import SwiftTasks
import TraceModel

/// The events of a recorded program, with their causes.
struct RecordedHistory {
  private(set) var events: [TraceEvent] = []
  /// When the program ended. If that is not known, the time of its last record.
  private(set) var end = Instant.zero

  private let names: RecordedNames
  private let program = Span.outsideRuns(1)
  private var spanCount: UInt32 = 1
  private var tasks = RecordedTasks()
  /// The runtime's tasks that wake others from a sleep, each with the task that it wakes.
  private var sleepers: [UInt32: UInt32] = [:]
  /// The outcomes of tasks that were recorded after the tasks had ended.
  private var outcomes: [UInt32: TaskRecord.Outcome] = [:]
  /// The tasks whose next suspension is a sleep.
  private var sleeping: Set<UInt32> = []
  private var libraries: RecordedLibraries
  private var executors: [UInt: Span] = [:]
  private var streams = RecordedStreams()
  private var labels = SpanLabels()
  /// The span that ran last on each thread, and when it left the thread.
  private var lastOnThread: [UInt32: (span: Span, end: Instant)] = [:]
  /// The span that ran last on each executor, and when it left the executor.
  private var lastOnExecutor: [UInt: (span: Span, end: Instant)] = [:]
  private var blockedThreads = BlockedThreads()

  /// - Parameters:
  ///   - outcome: the outcome of the program. It is unfinished unless the program ended its process itself.
  ///   - lastTime: when the program ended; nil if that is not known.
  init(
    of recording: TaskRecords, program name: String, names: RecordedNames,
    outcome: RunRecord.Outcome, at lastTime: Instant?
  ) {
    self.names = names
    libraries = RecordedLibraries(of: recording)
    let records = recording.records
    for record in records {
      switch record.kind {
      case .sleeps: sleepers[record.task] = record.other
      case .outcome(let outcome): outcomes[record.task] = outcome
      default: break
      }
    }
    append(.submitted(program, in: .none, label: name, kind: "program", at: .zero), on: 0)
    append(.started(program, at: .zero), on: 0)
    for (index, record) in records.enumerated() {
      if case .blocked(let function) = record.kind {
        block(record, in: function, followedBy: records[(index + 1)...])
      } else {
        add(record)
      }
    }
    end = max(lastTime ?? .zero, Instant(nanoseconds: records.last?.time ?? 0))
    for event in blockedThreads.starvation(of: tasks, at: end) { append(event, on: 0) }
    for task in tasks.running where !blockedThreads.unblock(task.thread, at: end) {
      work(task, until: end)
    }
    events = blockedThreads.leavingOutShort(events)
    // The end of a task was recorded after what it caused. The sort is stable.
    events.sort { $0.time < $1.time }
    let ended: TraceEvent.Outcome
    switch outcome {
    case .success: ended = .success
    case .failure: ended = .failure
    case .cancelled, .unfinished: return
    }
    for task in tasks.running {
      append(.finished(task.span, .success, at: end), on: task.thread)
    }
    append(.finished(program, ended, at: end), on: 0)
  }

  private mutating func append(_ event: TraceEvent, on thread: UInt32) {
    var event = event
    event.lane = Lane(number: thread)
    events.append(event)
  }

  private mutating func add(_ record: TaskRecord) {
    let time = Instant(nanoseconds: record.time)
    if sleepers[record.task] != nil {
      if case .sleeps = record.kind { sleeping.insert(record.other) }
      return
    }
    switch record.kind {
    case .created(let parent, let flags, _): create(record, parent, flags, at: time)
    case .ready:
      let cause = cause(of: record)
      tasks[record.task]?.ready = (time, cause)
      if cause.kind == .end, tasks[record.other]?.end == nil { tasks[record.other]?.end = time }
    case .started(let executor, let type): start(record, on: executor, type, at: time)
    case .suspended(let dependency): suspend(record, for: dependency, at: time)
    case .completed(let outcome): complete(record, outcome, at: time)
    case .group: tasks[record.task]?.group = record.other
    case .cancelled: tasks.cancel(record.task, by: canceller(of: record), at: time)
    case .groupCancelled: tasks.cancel(group: record.task, by: canceller(of: record), at: time)
    case .unblocked: unblock(record, at: time)
    case .library(let bytes): report(record, bytes)
    case .buffer(let storage, let count, let site):
      let event = streams.counter(
        storage, holds: count, since: time, filledAt: site, by: names.caller(at: site),
        tasks[record.task]?.span ?? libraries.actor(on: record.thread) ?? program)
      if let event { append(event, on: record.thread) }
    case .onBehalf(_, let actor): libraries.note(actor: actor, of: record.thread)
    case .site, .caller, .closure, .name, .sleeps, .outcome, .blocked, .frames: break
    }
  }

  // MARK: Tasks

  private mutating func create(
    _ record: TaskRecord, _ parent: UInt32, _ flags: TaskFlags, at time: Instant
  ) {
    guard tasks[record.task] == nil else { return }
    let span = nextSpan()
    // A task that a library made for one of its steps is a part of that step.
    let step = libraries.span(ofTask: record.task)
    let creator = tasks[record.other]?.span ?? step ?? actor(of: record)
    var task = RecordedTask(span: span, creator: creator)
    // No record shows when the task enters an actor's queue. If it starts from there, this time counts as the time at
    // which it became ready.
    task.lastEnd = time
    task.parent = parent
    tasks[record.task] = task
    let label = labels.add(names.ofTasks[record.task] ?? "task", of: span)
    let pattern = tasks[parent]?.span ?? step ?? program
    append(
      .submitted(
        span, in: pattern, label: label, kind: "task", role: .task, by: creator, at: time),
      on: record.thread)
    guard let role = flags.role else { return }
    append(.mark("priority", label, role: role, of: pattern, at: time), on: record.thread)
  }

  /// The cause that made a task ready.
  private func cause(of record: TaskRecord) -> Cause {
    guard let own = tasks[record.task] else { return .itself }
    if sleepers[record.other] == record.task { return Cause(.timer, own.span) }
    if !own.isStarted { return Cause(.parent, actor(of: record)) }
    let waker = tasks[record.other]?.span ?? libraries.actor(on: record.thread) ?? .none
    if waker == own.span { return .itself }
    switch own.dependency {
    // On its way to another executor, a task makes itself ready as soon as it is suspended.
    case .executor, .yield: return .itself
    case .task, .group: return Cause(.end, waker)
    case .continuation, .unknown, nil: return Cause(.wakeUp, waker)
    }
  }

  private mutating func start(
    _ record: TaskRecord, on executor: UInt, _ type: UInt, at time: Instant
  ) {
    // The task was made before the recording began.
    if tasks[record.task] == nil { create(record, 0, TaskFlags(bits: 0), at: time) }
    guard var task = tasks[record.task] else { return }
    let place = place(executor, type, at: time)
    // If no record made the task ready, it has waited in the queue of an actor.
    let isFromQueue = task.ready == nil
    let first = task.isStarted ? Cause.itself : Cause(.parent, task.creator)
    let ready = task.ready ?? (task.lastEnd, first)
    var holder = isFromQueue ? lastOnExecutor[executor] : lastOnThread[record.thread]
    // The task that made this one ready ran on for a moment.
    if !isFromQueue, holder?.span == ready.cause.span { holder = nil }
    // A task that sleeps is suspended as soon as its own code has set the timer.
    let timerSet = ready.cause.kind == .timer ? task.lastEnd : nil
    // No record shows when a task leaves an actor that was free when it entered.
    let waited =
      holder.flatMap { $0.end > ready.time && $0.span != task.span ? $0.span : nil }
      ?? (isFromQueue ? task.holder : nil)
    var event: TraceEvent =
      switch (task.isStarted, waited) {
      case (true, let holder?):
        .resumed(
          task.span, behind: holder, due: ready.time, set: timerSet ?? ready.time,
          because: timerSet == nil ? ready.cause : .itself, on: place, at: time)
      case (true, nil):
        timerSet.map {
          .resumed(task.span, byTimerSet: $0, because: .itself, on: place, at: time)
        } ?? .resumed(task.span, because: ready.cause, on: place, at: time)
      case (false, let holder?):
        .started(
          task.span, because: ready.cause, ready: ready.time, behind: holder, on: place, at: time)
      case (false, nil): .started(task.span, because: ready.cause, on: place, at: time)
      }
    if record.other == 1 { event.role = .unreferenced }
    append(event, on: record.thread)
    (task.isStarted, task.isRunning, task.ready) = (true, true, nil)
    (task.dependency, task.holder, task.executor) = (nil, nil, executor)
    (task.workingSince, task.thread) = (time, record.thread)
    tasks[record.task] = task
  }

  private mutating func suspend(
    _ record: TaskRecord, for dependency: TaskRecord.Dependency, at time: Instant
  ) {
    guard stop(record, at: time) else { return }
    let reason = reason(dependency, of: record.task, at: time)
    sleeping.remove(record.task)
    guard let span = tasks[record.task]?.span else { return }
    append(.suspended(span, for: reason, at: time), on: record.thread)
    tasks[record.task]?.dependency = dependency
    guard case .executor(_, _, let holder) = dependency else { return }
    let holding = tasks[holder]?.span
    tasks[record.task]?.holder = holding
  }

  private mutating func complete(
    _ record: TaskRecord, _ outcome: TaskRecord.Outcome?, at time: Instant
  ) {
    let time = min(time, tasks[record.task]?.end ?? time)
    guard stop(record, at: time), let task = tasks.remove(record.task) else {
      return
    }
    var reason = ""
    let cancellation = tasks.cancellation(of: task)
    let ended: TraceEvent.Outcome
    switch outcome ?? outcomes[record.task] {
    case .success: ended = .success
    case .failure(let descriptor):
      reason = names.name(ofDescriptor: descriptor) ?? "an error"
      ended = reason == "CancellationError" ? .cancelled : .failure
    // The outcome is not known. The task counts as successful if it was not cancelled.
    case nil: ended = cancellation == nil ? .success : .cancelled
    }
    append(
      .finished(task.span, ended, cancelled: cancellation, reason: reason, at: time),
      on: record.thread)
  }

  private func canceller(of record: TaskRecord) -> Cause {
    Cause(.cancellation, tasks[record.other]?.span ?? program)
  }

  /// - Returns: false if the task is not known.
  private mutating func stop(_ record: TaskRecord, at time: Instant) -> Bool {
    guard let task = tasks[record.task] else { return false }
    work(task, until: time)
    lastOnThread[record.thread] = (task.span, time)
    if task.executor != 0 { lastOnExecutor[task.executor] = (task.span, time) }
    tasks[record.task]?.isRunning = false
    tasks[record.task]?.lastEnd = time
    return true
  }

  private mutating func work(_ task: RecordedTask, until time: Instant) {
    guard task.workingSince < time else { return }
    let duration = task.workingSince.duration(to: time)
    append(.worked(task.span, for: duration, at: time), on: task.thread)
  }

  /// The reason why a task is suspended, in words; empty if it is not known.
  private mutating func reason(
    _ dependency: TaskRecord.Dependency, of task: UInt32, at time: Instant
  ) -> String {
    switch dependency {
    case .unknown: ""
    case .task(let other):
      tasks[other].flatMap { labels[$0.span] }.map { "“\($0)”" } ?? "a task"
    case .continuation where sleeping.contains(task): "its sleep"
    case .continuation(let function):
      names.isInsideStream(function) ? "the next element of a stream" : "a continuation"
    case .group: "its task group"
    case .yield: "other tasks"
    case .executor(let executor, let type, _): label(of: executor, type, at: time)
    }
  }

  /// The span that caused a record: another task, a library's step, or the program.
  private func actor(of record: TaskRecord) -> Span {
    tasks[record.other]?.span ?? libraries.actor(on: record.thread) ?? program
  }

  // MARK: Libraries

  /// Adds the event that a library has reported, if these bytes complete one.
  private mutating func report(_ record: TaskRecord, _ bytes: [UInt8]) {
    guard let reported = libraries.event(completedBy: record, bytes) else { return }
    if reported.kind == .submitted { libraries.note(reported.span, as: nextSpan()) }
    var event = libraries.translated(reported)
    let task = tasks[record.task]?.span ?? program
    if event.cause == .outside { event.cause = Cause(.parent, task) }
    if event.kind == .submitted {
      // A step without a pattern belongs to the task that made it.
      if event.parent == .none { event.parent = task }
      if event.cause == .itself, event.role != .place { event.cause = Cause(.parent, task) }
      event.name = labels.add(event.name, of: event.span)
    } else if event.span == .none {
      // The task itself caused an event without a span. Events of other kinds than these are left out, since the
      // records of the task already show them.
      guard [.mark, .misuse, .counter].contains(event.kind) else { return }
      event.span = task
    }
    events.append(event)
  }

  // MARK: Blocked threads

  private mutating func block(
    _ record: TaskRecord, in function: UInt, followedBy later: ArraySlice<TaskRecord>
  ) {
    guard let task = tasks[record.task] else { return }
    let time = Instant(nanoseconds: record.time)
    work(task, until: time)
    tasks[record.task]?.workingSince = time
    var event = TraceEvent.blocked(task.span, at: time)
    let callers = BlockedThreads.callers(of: record, followedBy: later)
    event.detail = names.place(ofCallTo: function, callers)
    blockedThreads.block(record.thread, with: events.count, at: time)
    append(event, on: record.thread)
  }

  private mutating func unblock(_ record: TaskRecord, at time: Instant) {
    guard let span = tasks[record.task]?.span,
      blockedThreads.unblock(record.thread, at: time)
    else { return }
    append(.unblocked(span, at: time), on: record.thread)
    tasks[record.task]?.workingSince = time
  }

  // MARK: Names

  private mutating func place(_ executor: UInt, _ type: UInt, at time: Instant) -> Span {
    if executor == 0 { return .none }
    if let known = executors[executor] { return known }
    let span = nextSpan()
    executors[executor] = span
    let label = labels.add(names.name(of: executor, type), of: span)
    append(.submitted(span, in: .none, label: label, kind: "actor", role: .place, at: time), on: 0)
    return span
  }

  private mutating func label(of executor: UInt, _ type: UInt, at time: Instant) -> String {
    // One expression would read the labels before the executor has one.
    let place = place(executor, type, at: time)
    return labels[place] ?? "a free thread"
  }

  private mutating func nextSpan() -> Span {
    spanCount += 1
    return .outsideRuns(spanCount)
  }
}
