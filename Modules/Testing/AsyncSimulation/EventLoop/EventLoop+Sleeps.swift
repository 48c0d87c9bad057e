import AsyncPatterns
import SwiftTasks

extension EventLoop {
  /// Runs the jobs of cancelled sleeps, which frees what the sleeps hold.
  func runCancelledSleeps() {
    guard timers.hasCancelledSleeps else { return }
    for job in timers.takeCancelledSleeps() {
      if let taskLog, let waker = job.task { taskLog.forget(waker) }
      unwatched { job.run() }
    }
  }

  /// Wakes the task whose sleep has ended.
  ///
  /// - Parameter isAlone: whether nothing else is due at the same instant.
  func end(_ sleep: Sleep, isAlone: Bool) {
    if !isAlone, !choices.isFirstInFirstOut, RuntimeSupport.current.cancelsEndedSleeps {
      wokenTasks.waking = sleep.job.endingSleep
    }
    LaneContext.current.perform(for: sleep.span) {
      sleep.job.run()
      taskLog?.returned(at: now)
    }
    wokenTasks.waking = nil
  }

  /// Notes the task that is being woken, if this job continues it, or the actor that it is on. A task that continues in
  /// another way, such as on an executor of its own, is not noted: it may run and complete outside.
  func noteWoken(by job: SwiftJob) {
    guard let sleep = wokenTasks.waking, job.task == nil || job.task == sleep.task
    else { return }
    wokenTasks.insert(sleep)
    updateWatch()
  }

  func endInstant() {
    wokenTasks.endInstant()
    updateWatch()
  }

  /// If the task was cancelled at the instant at which its sleep ended, chooses what came first.
  @inline(never)
  func chooseEndOfSleep(of task: SwiftTask) {
    let sleep = wokenTasks.remove(task)
    updateWatch()
    guard let sleep, task.isCancelled, !choices.isFirstInFirstOut else { return }
    let ends: [SleepEnd] = [.whole, .cancelled]
    let number = choices.choose(ends.count)
    probe?.observer?.chose(number, among: ends, of: taskLog?.span(of: task) ?? .none, in: self)
    if ends[number] == .cancelled { sleep.throwCancellation() }
  }
}

/// How a sleep ends.
enum SleepEnd {
  /// After its whole time.
  case whole
  case cancelled
}

/// A task that sleeps until an instant.
struct Sleep {
  /// Wakes the task.
  let job: SwiftJob
  /// The span that sleeps; `.none` without a trace.
  let span: Span
}
