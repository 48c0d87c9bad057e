import AsyncPatterns
import SwiftTasks

/// Records which Swift tasks a simulation runs, and what they do.
///
/// The runtime reports when a task becomes ready and when it runs. Everything in between follows from that. The log
/// keeps each task that it knows in memory until the task has completed.
final class TaskLog {
  private enum State {
    /// Ready; `cause` is the reason. If it is a timer, `timerSet` is when the task set it.
    case ready(Cause, timerSet: Instant? = nil)
    case running
    /// Moving to another executor, or queued again by itself.
    case continuing
    case suspended
  }

  private struct Entry {
    let span: Span
    var state: State
    var isStarted = false
    /// Whether the task is the body of a step. Other code records its events, except waits for other tasks.
    var isQuiet = false
    /// The executor on which the task runs or will run.
    var executor = Span.none
  }

  private struct Sleeper {
    let task: SwiftTask?
    /// When its sleep began.
    let since: Instant
  }

  private let trace: any TraceSink
  private var entries: [SwiftTask: Entry] = [:]
  private var names = TaskNames()
  private var executors: [SwiftExecutor: Span] = [:]
  /// The sleeping tasks. The key is the task of the runtime that wakes the sleeping task.
  private var sleepers: [SwiftTask: Sleeper] = [:]
  private var running: SwiftTask?
  /// The parent of the tasks that belong to no other task; `.none` for none.
  var root = Span.none
  /// For each closure of Dispatch that has not started: the span that submitted it, and the queue on which it runs.
  private var itemCreators: [Span: (Span, Span)] = [:]
  private var queues: [DispatchQueueID: Span] = [:]
  private var runningItem: Span?
  /// The tasks whose code runs the job of another task, for example in an executor of the program or in
  /// `Task.immediate`. The innermost is last.
  private var interrupted: [SwiftTask] = []
  /// The running task, if it has called `Task.yield()` and will suspend.
  private var yielding: SwiftTask?

  init(_ trace: any TraceSink) { self.trace = trace }

  deinit { for task in entries.keys { task.release() } }

  // MARK: Ready tasks

  /// Records that the task is ready.
  ///
  /// - Parameter destination: the executor on which the task continues.
  /// - Returns: the task's span; nil for a task of the runtime that wakes a sleeping task.
  func becomesReady(_ task: SwiftTask, for destination: SwiftExecutor?, at now: Instant) -> Span? {
    continueInterrupted(at: now)
    if sleepers[task] != nil { return nil }
    guard var entry = entries[task] else { return add(task, at: now) }
    switch entry.state {
    case .running: entry.state = .continuing
    case .suspended:
      let waker = running.flatMap { entries[$0]?.span } ?? entry.span
      // All other waits of a step are part of its own code.
      let isOwn = entry.isQuiet && waker == entry.span
      entry.state = isOwn ? .ready(.itself) : readiness(of: task, entry.span)
    case .ready, .continuing: break
    }
    entry.executor = place(destination, at: now)
    entries[task] = entry
    return entry.span
  }

  /// Notes that the running task lets other tasks run first.
  func yields() { yielding = running }

  /// Notes that the task is the body of a step.
  ///
  /// - Returns: the step's span.
  func adopt(_ task: SwiftTask, as span: Span) -> Span {
    task.retain()
    entries[task] = Entry(span: span, state: .ready(.itself), isQuiet: true)
    return span
  }

  /// The span of a task that has not completed; nil if it is not recorded.
  func span(of task: SwiftTask) -> Span? { entries[task]?.span }

  /// Notes that the running task sleeps until `waker` runs.
  func sleeps(until waker: SwiftTask, since now: Instant) {
    sleepers[waker] = Sleeper(task: SwiftTask.current, since: now)
  }

  /// Notes that the sleep that `waker` would end was cancelled.
  func forget(_ waker: SwiftTask) { sleepers.removeValue(forKey: waker) }

  private func add(_ task: SwiftTask, at now: Instant) -> Span {
    task.retain()
    let span = trace.nextSpan()
    let creator = creatorSpan
    let parent = task.parent.flatMap { entries[$0]?.span } ?? (running == nil ? creator : root)
    entries[task] = Entry(span: span, state: .ready(Cause(.parent, creator)))
    trace.record(
      .submitted(
        span, in: parent, label: names.name(of: task), kind: "task", role: .task,
        by: creator, at: now))
    return span
  }

  private var creatorSpan: Span {
    running.flatMap { entries[$0]?.span } ?? LaneContext.current.span
  }

  /// Why the task, which was suspended, is ready now.
  private func readiness(of task: SwiftTask, _ span: Span) -> State {
    guard let running else { return .ready(Cause(.wakeUp, LaneContext.current.span)) }
    if let sleeper = sleepers[running], sleeper.task == task {
      return .ready(Cause(.timer, span), timerSet: sleeper.since)
    }
    guard let waker = entries[running] else { return .ready(Cause(.wakeUp, .none)) }
    return .ready(Cause(running.isComplete ? .end : .wakeUp, waker.span))
  }

  // MARK: Closures of Dispatch

  /// Records that a closure was submitted to a queue.
  ///
  /// - Parameter creator: the span that submitted it.
  /// - Returns: the span of the closure.
  func becomesReady(_ item: DispatchItem, on creator: Span, at now: Instant) -> Span {
    let span = trace.nextSpan()
    let title = item.address.flatMap { CodeLocation.location(of: $0) }?.title ?? ""
    let creator = running.flatMap { entries[$0]?.span } ?? creator
    trace.record(
      .submitted(
        span, in: root, label: names.unique(title.isEmpty ? "closure" : title), kind: "task",
        role: .task, by: creator, at: now))
    itemCreators[span] = (creator, place(item.queue, at: now))
    return span
  }

  func starts(_ span: Span, at now: Instant) {
    guard let (creator, place) = itemCreators.removeValue(forKey: span) else { return }
    trace.record(.started(span, because: Cause(.parent, creator), on: place, at: now))
    runningItem = span
  }

  func finishes(_ span: Span, at now: Instant) {
    runningItem = nil
    trace.record(.finished(span, .success, at: now))
  }

  private func place(_ queue: DispatchQueueID, at now: Instant) -> Span {
    guard queue.kind == .serial else { return .none }
    if let known = queues[queue] { return known }
    let span = trace.nextSpan()
    queues[queue] = span
    let label = names.unique("queue “\(queue.label)”")
    trace.record(.submitted(span, in: .none, label: label, kind: "queue", role: .place, at: now))
    return span
  }

  // MARK: Running tasks

  /// Notes that the task runs on the calling thread from now on.
  func runs(_ task: SwiftTask, at now: Instant) {
    continueInterrupted(at: now)
    if let running, running != task {
      if isInterrupted(running) {
        interrupted.append(running)
      } else {
        stops(running, at: now)
      }
    }
    running = nil
    if entries[task] == nil, sleepers[task] == nil {
      // If a task prefers an executor, the step that gave it the executor records it. A task that starts on the stack
      // of its creator was never ready.
      if SwiftTask.currentPrefersExecutor { return }
      _ = add(task, at: now)
    }
    running = task
    if sleepers[task] != nil { return }
    guard var entry = entries[task] else { return }
    let context = LaneContext.current
    if entry.isQuiet {
      if case .ready(let cause, _) = entry.state, cause != .itself {
        trace.record(.resumed(entry.span, because: cause, at: now))
      }
      entries[task]?.state = .running
      if context.span != entry.span { context.continueFor(entry.span) }
      return
    }
    let waker = context.span
    if entry.executor == .none { entry.executor = place(SwiftExecutor.current, at: now) }
    switch entry.state {
    case .ready(let cause, let timerSet):
      record(task, &entry, because: cause, timerSet: timerSet, at: now)
    // An actor had the task in its own queue. The span that made the actor ready also woke the task.
    case .suspended: record(task, &entry, because: Cause(.wakeUp, waker), at: now)
    case .continuing: record(task, &entry, because: .itself, at: now)
    case .running: break
    }
    entry.state = .running
    entries[task] = entry
    context.continueFor(entry.span)
  }

  private func record(
    _ task: SwiftTask, _ entry: inout Entry, because cause: Cause, timerSet: Instant? = nil,
    at now: Instant
  ) {
    var event: TraceEvent
    if let timerSet {
      // The task's own code set the timer.
      event = .resumed(
        entry.span, byTimerSet: timerSet, because: .itself, on: entry.executor, at: now)
    } else if entry.isStarted {
      event = .resumed(entry.span, because: cause, on: entry.executor, at: now)
    } else {
      entry.isStarted = true
      event = .started(entry.span, because: cause, on: entry.executor, at: now)
    }
    if task.isUnreferenced { event.role = .unreferenced }
    trace.record(event)
  }

  /// Whether the task is neither suspended nor complete, although another task is about to run.
  private func isInterrupted(_ task: SwiftTask) -> Bool {
    guard case .running? = entries[task]?.state else { return false }
    return !task.isComplete && task.dependency == nil
  }

  /// Continues an outer task if its code ran the job of another task and that job has returned.
  private func continueInterrupted(at now: Instant) {
    while let outer = interrupted.last, SwiftTask.current == outer {
      if let running { stops(running, at: now) }
      interrupted.removeLast()
      running = outer
      if let entry = entries[outer] { LaneContext.current.continueFor(entry.span) }
    }
  }

  /// Notes that the job has returned.
  func returned(at now: Instant) {
    if let running { stops(running, at: now) }
    while let outer = interrupted.popLast() { stops(outer, at: now) }
    running = nil
  }

  /// Records the end of everything that runs: the process ends in the middle of a task.
  func processEnds(at now: Instant) {
    let task = running.flatMap { entries[$0]?.span }
    for span in [runningItem, task, root].compactMap(\.self) {
      trace.record(.finished(span, .success, at: now))
    }
  }

  private func stops(_ task: SwiftTask, at now: Instant) {
    defer { yielding = nil }
    if sleepers.removeValue(forKey: task) != nil { return }
    guard var entry = entries[task] else { return }
    if task.isComplete {
      if !entry.isQuiet { recordEnd(of: task, entry.span, at: now) }
      entries[task] = nil
      names.forget(task)
      task.release()
    } else if case .running = entry.state {
      if entry.isQuiet {
        entries[task]?.state = .suspended
        return
      }
      trace.record(.suspended(entry.span, for: dependency(of: task), at: now))
      entry.state = .suspended
      entry.executor = .none
      entries[task] = entry
    }
  }

  private func recordEnd(of task: SwiftTask, _ span: Span, at now: Instant) {
    guard let error = task.error else { return trace.record(.finished(span, .success, at: now)) }
    let outcome: TraceEvent.Outcome = error is CancellationError ? .cancelled : .failure
    // The error's own description would be code of the program. A recording names no type parameters, either.
    let reason = String(String(describing: type(of: error)).prefix { $0 != "<" })
    trace.record(.finished(span, outcome, reason: reason, at: now))
  }

  private func place(_ executor: SwiftExecutor?, at now: Instant) -> Span {
    guard let executor else { return .none }
    if let known = executors[executor] { return known }
    let span = trace.nextSpan()
    executors[executor] = span
    let label = names.unique(executor.isMain ? "main actor" : executor.typeName)
    trace.record(.submitted(span, in: .none, label: label, kind: "actor", role: .place, at: now))
    return span
  }

  // MARK: Waiting tasks

  private func dependency(of task: SwiftTask) -> String {
    if sleepers.values.contains(where: { $0.task == task }) { return "its sleep" }
    if yielding == task { return "other tasks" }
    switch task.dependency {
    case .task(let other): return entries[other] == nil ? "a task" : "“\(names.name(of: other))”"
    case .continuation:
      return names.isInStream(task) ? "the next element of a stream" : "a continuation"
    case .taskGroup: return "its task group"
    case .executor, nil: return ""
    }
  }

  /// The tasks that have not completed, in the order in which they were created.
  var unfinished: [SimulatedRuntime.UnfinishedTask] {
    entries.filter { sleepers[$0.key] == nil }.sorted { $0.value.span < $1.value.span }
      .map { task, entry in
        let location = names.location(of: task)
        return SimulatedRuntime.UnfinishedTask(
          name: names.name(of: task), span: entry.span, function: location?.function,
          file: location?.file, line: location?.line, waitsFor: dependency(of: task),
          isBlocked: isInterrupted(task),
          task: awaitedTask(of: task))
      }
  }

  private func awaitedTask(of task: SwiftTask) -> Span? {
    guard case .task(let other)? = task.dependency else { return nil }
    return entries[other]?.span
  }
}
