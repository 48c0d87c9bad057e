import SwiftTasks

/// The tasks that have not continued since their sleeps ended together with something else.
///
/// If such a task is cancelled at the instant at which its sleep ends, the cancellation may come before that end or
/// after it.
struct WokenTasks {
  private var tasks: [SwiftTask] = []
  /// The task whose sleep is ending now, together with something else.
  var waking: SwiftTask?

  var isEmpty: Bool { tasks.isEmpty }

  mutating func insert(_ task: SwiftTask) {
    tasks.append(task)
    waking = nil
  }

  /// Ends the instant. From now on, a cancellation comes too late.
  mutating func endInstant() { tasks.removeAll { !$0.isCancelled } }

  /// Removes a task that continues.
  ///
  /// - Returns: whether it was cancelled at the instant at which its sleep ended.
  mutating func remove(_ task: SwiftTask) -> Bool {
    guard let index = tasks.firstIndex(of: task) else { return false }
    tasks.remove(at: index)
    return task.isCancelled
  }
}
