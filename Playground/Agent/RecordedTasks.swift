import AsyncRuntime
import SwiftTasks
import TraceModel

/// A task of a recorded program that has not completed.
struct RecordedTask {
  let span: Span
  let creator: Span
  var isStarted = false
  var isRunning = false
  /// When the task became ready, and the cause; nil unless it is ready.
  var ready: (time: Instant, cause: Cause)?
  /// The reason for its suspension; nil while it runs.
  var dependency: TaskRecord.Dependency?
  /// The task that held the executor for which it is suspended; nil if that is not known.
  var holder: Span?
  /// When it completed, if another task was made ready by that; nil until then. Its own record of the end comes later.
  var end: Instant?
  /// When it last left its thread, or when it was made if it has not started.
  var lastEnd = Instant.zero
  /// When it began the work that the trace does not show yet.
  var workingSince = Instant.zero
  /// The thread that it runs on.
  var thread: UInt32 = 0
  /// The executor that it runs on; 0 is the pool.
  var executor: UInt = 0
  /// The task whose child it is; 0 is none.
  var parent: UInt32 = 0
  /// The task group that it belongs to; 0 is none.
  var group: UInt32 = 0
  fileprivate var cancellation: Cancellation?

  typealias Cancellation = (by: Cause, at: Instant)

  init(span: Span, creator: Span) {
    self.span = span
    self.creator = creator
  }
}

/// The tasks of a recorded program that have not completed, by their numbers.
struct RecordedTasks {
  private var tasks: [UInt32: RecordedTask] = [:]

  subscript(number: UInt32) -> RecordedTask? {
    get { tasks[number] }
    _modify { yield &tasks[number] }
  }

  /// The tasks that run, in the order in which they were made.
  var running: [RecordedTask] {
    tasks.values.filter(\.isRunning).sorted { $0.span < $1.span }
  }

  /// The tasks that wait for a thread, each with the time at which it became ready, in the order in which they were made.
  var ready: [(task: RecordedTask, since: Instant)] {
    tasks.values.compactMap { task in task.ready.map { (task, $0.time) } }
      .sorted { $0.task.span < $1.task.span }
  }

  mutating func remove(_ number: UInt32) -> RecordedTask? { tasks.removeValue(forKey: number) }

  /// Only the first cancellation of a task has an effect.
  mutating func cancel(_ number: UInt32, by cause: Cause, at time: Instant) {
    if let task = tasks[number], task.cancellation == nil {
      tasks[number]?.cancellation = (cause, time)
    }
  }

  mutating func cancel(group: UInt32, by cause: Cause, at time: Instant) {
    for number in tasks.filter({ $0.value.group == group }).keys {
      cancel(number, by: cause, at: time)
    }
  }

  /// The cancellation of a task, or else of its nearest cancelled ancestor; nil if there is none.
  func cancellation(of task: RecordedTask) -> RecordedTask.Cancellation? {
    // In a damaged recording, a task may seem to be its own parent.
    var (next, left): (RecordedTask?, Int) = (task, tasks.count)
    while let task = next, left >= 0 {
      if let own = task.cancellation { return own }
      next = tasks[task.parent]
      left -= 1
    }
    return nil
  }
}

extension TaskFlags {
  /// The role with which the trace marks the priority; nil for the usual priority.
  var role: TraceEvent.Role? {
    let usual = TaskPriority.medium.rawValue
    if priority == 0 || priority == usual { return nil }
    return priority < usual ? .lowPriority : .highPriority
  }
}
