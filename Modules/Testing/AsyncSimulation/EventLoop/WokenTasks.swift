import SwiftTasks

/// The tasks that have not continued since their sleeps ended together with something else.
///
/// If such a task is cancelled at the instant at which its sleep ends, the cancellation may come before that end or
/// after it.
struct WokenTasks {
  private var sleeps: [EndingSleep] = []
  /// The sleep that is ending now, together with something else.
  var waking: EndingSleep?

  var isEmpty: Bool { sleeps.isEmpty }

  mutating func insert(_ sleep: EndingSleep) {
    sleeps.append(sleep)
    waking = nil
  }

  /// Ends the instant. From now on, a cancellation comes too late.
  mutating func endInstant() { sleeps.removeAll { !$0.task.isCancelled } }

  /// Removes the sleep of a task that continues; nil if the task is not among the woken tasks.
  mutating func remove(_ task: SwiftTask) -> EndingSleep? {
    sleeps.firstIndex { $0.task == task }.map { sleeps.remove(at: $0) }
  }
}
