import AsyncPatterns
import SwiftTasks

/// Records which tasks of Swift a simulation runs, and what they do.
///
/// The runtime shows when a task becomes ready and when it runs; what lies in between follows from that. A task that is
/// known here is kept in memory until it has completed.
final class TaskLog {
  private enum State {
    /// Ready; `cause` is why.
    case ready(Cause)
    case running
    /// On its way to another executor, or back in the queue by itself.
    case continuing
    case suspended
  }

  private struct Entry {
    let span: Span
    var state: State
    var isStarted = false
    /// Whether it is the body of a step, whose events others record.
    var isQuiet = false
    /// Where it runs or will run.
    var executor = Span.none
  }

  private let trace: any TraceSink
  private var entries: [SwiftTask: Entry] = [:]
  private var names = TaskNames()
  private var executors: [SwiftExecutor: Span] = [:]
  /// The tasks that sleep, by the task of the runtime that wakes each.
  private var sleepers: [SwiftTask: SwiftTask?] = [:]
  private var running: SwiftTask?
  /// Below it stand the tasks that belong to no other; `.none` for none.
  var root = Span.none
  /// Of the closures of Dispatch that have not started: what has handed them over, and where they run.
  private var itemCreators: [Span: (Span, Span)] = [:]
  private var queues: [DispatchQueueID: Span] = [:]
  private var runningItem: Span?
  /// The tasks whose code runs the job of another one, such as an executor of the program or `Task.immediate`; the
  /// innermost is last.
  private var interrupted: [SwiftTask] = []
  /// The running task, if it has called `Task.yield()` and will suspend.
  private var yielding: SwiftTask?

  init(_ trace: any TraceSink) { self.trace = trace }

  deinit { for task in entries.keys { task.release() } }

  // MARK: What becomes ready

  /// The task is ready.
  ///
  /// - Parameter destination: where it continues.
  /// - Returns: its span; nil for a task of the runtime that wakes a sleeper.
  func becomesReady(_ task: SwiftTask, for destination: SwiftExecutor?, at now: Instant) -> Span? {
    continueInterrupted(at: now)
    if sleepers[task] != nil { return nil }
    guard var entry = entries[task] else { return add(task, at: now) }
    switch entry.state {
    case .running: entry.state = .continuing
    case .suspended: entry.state = .ready(cause(for: task, entry.span))
    case .ready, .continuing: break
    }
    entry.executor = place(destination, at: now)
    entries[task] = entry
    return entry.span
  }

  /// The running task lets others run first.
  func yields() { yielding = running }

  /// The task is the body of a step.
  ///
  /// - Returns: the step's span.
  func adopt(_ task: SwiftTask, as span: Span) -> Span {
    task.retain()
    entries[task] = Entry(span: span, state: .ready(.itself), isQuiet: true)
    return span
  }

  /// The span of a task that has not completed; nil if it is not recorded.
  func span(of task: SwiftTask) -> Span? { entries[task]?.span }

  /// The running task sleeps until `waker` runs.
  func sleeps(until waker: SwiftTask) {
    sleepers.updateValue(SwiftTask.current, forKey: waker)
  }

  /// The sleep was cancelled to which the waker belongs.
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

  /// Why it is ready now.
  private func cause(for task: SwiftTask, _ span: Span) -> Cause {
    guard let running else { return Cause(.wakeUp, LaneContext.current.span) }
    if sleepers[running] == task { return Cause(.timer, span) }
    guard let waker = entries[running] else { return Cause(.wakeUp, .none) }
    return Cause(running.isComplete ? .end : .wakeUp, waker.span)
  }

  // MARK: Closures of Dispatch

  /// A closure was handed to a queue.
  ///
  /// - Parameter creator: the span that did so.
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

  // MARK: What runs

  /// The task runs on the calling thread from now on.
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
      // A task that prefers an executor is shown by the step that made it so. One that starts on the stack of its
      // creator was never ready.
      if SwiftTask.currentPrefersExecutor { return }
      _ = add(task, at: now)
    }
    running = task
    if sleepers[task] != nil { return }
    guard var entry = entries[task] else { return }
    let context = LaneContext.current
    if entry.isQuiet {
      entries[task]?.state = .running
      if context.span != entry.span { context.continueFor(entry.span) }
      return
    }
    let waker = context.span
    if entry.executor == .none { entry.executor = place(SwiftExecutor.current, at: now) }
    switch entry.state {
    case .ready(let cause): record(&entry, because: cause, at: now)
    // An actor had it in its own queue: the span that made the actor ready woke it.
    case .suspended: record(&entry, because: Cause(.wakeUp, waker), at: now)
    case .continuing:
      trace.record(.resumed(entry.span, because: .itself, on: entry.executor, at: now))
    case .running: break
    }
    entry.state = .running
    entries[task] = entry
    context.continueFor(entry.span)
  }

  private func record(_ entry: inout Entry, because cause: Cause, at now: Instant) {
    if entry.isStarted {
      trace.record(.resumed(entry.span, because: cause, on: entry.executor, at: now))
    } else {
      entry.isStarted = true
      trace.record(.started(entry.span, because: cause, on: entry.executor, at: now))
    }
  }

  /// Whether the task is neither suspended nor complete, although another one is about to run.
  private func isInterrupted(_ task: SwiftTask) -> Bool {
    guard case .running? = entries[task]?.state else { return false }
    return !task.isComplete && task.dependency == nil
  }

  /// The job of another task may have returned to the one whose code ran it.
  private func continueInterrupted(at now: Instant) {
    while let outer = interrupted.last, SwiftTask.current == outer {
      if let running { stops(running, at: now) }
      interrupted.removeLast()
      running = outer
      if let entry = entries[outer] { LaneContext.current.continueFor(entry.span) }
    }
  }

  /// The job has returned.
  func returned(at now: Instant) {
    if let running { stops(running, at: now) }
    while let outer = interrupted.popLast() { stops(outer, at: now) }
    running = nil
  }

  /// The process ends in the middle of the task that runs.
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
      if !entry.isQuiet { trace.record(.finished(entry.span, .success, at: now)) }
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

  private func place(_ executor: SwiftExecutor?, at now: Instant) -> Span {
    guard let executor else { return .none }
    if let known = executors[executor] { return known }
    let span = trace.nextSpan()
    executors[executor] = span
    let label = names.unique(executor.isMain ? "main actor" : executor.typeName)
    trace.record(.submitted(span, in: .none, label: label, kind: "actor", role: .place, at: now))
    return span
  }

  // MARK: What waits

  private func dependency(of task: SwiftTask) -> String {
    if sleepers.values.contains(task) { return "its sleep" }
    if yielding == task { return "other tasks" }
    switch task.dependency {
    case .task(let other): return entries[other] == nil ? "a task" : "“\(names.name(of: other))”"
    case .continuation:
      return names.isInStream(task) ? "the next element of a stream" : "a continuation"
    case .taskGroup: return "its task group"
    case .executor, nil: return ""
    }
  }

  /// The tasks that have not completed, in the order in which they were made.
  var unfinished: [SimulatedRuntime.UnfinishedTask] {
    entries.filter { sleepers[$0.key] == nil && !$0.value.isQuiet }.sorted {
      $0.value.span < $1.value.span
    }
    .map { task, entry in
      let location = names.location(of: task)
      return SimulatedRuntime.UnfinishedTask(
        name: names.name(of: task), span: entry.span, function: location?.function,
        file: location?.file, line: location?.line, waitsFor: dependency(of: task),
        task: awaitedTask(of: task))
    }
  }

  private func awaitedTask(of task: SwiftTask) -> Span? {
    guard case .task(let other)? = task.dependency else { return nil }
    return entries[other]?.span
  }
}
