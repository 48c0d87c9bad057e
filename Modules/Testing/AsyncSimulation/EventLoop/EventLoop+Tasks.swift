import AsyncPatterns
import SwiftTasks

/// Swift's own tasks, which know nothing of the simulation: what its threads start or resume arrives here.
extension EventLoop: JobReceiver {
  func receive(_ job: SwiftJob) {
    if case .leads(let task) = hop, job.place == .pool, job.task == nil || job.task == task {
      hop = .led(to: job)
      return
    }
    enqueue(.job(queued(job)), for: job.place == .main ? .main : .pool)
  }

  func receive(_ job: SwiftJob, after delay: Int64) {
    if let taskLog, let waker = job.task { taskLog.sleeps(until: waker) }
    guard delay > 0 else { return receive(job) }
    timers.add(
      .sleep(Sleep(job: job, span: LaneContext.current.span)),
      at: now.advanced(by: .nanoseconds(delay)), chain: chains.next())
  }

  var outsideReceiver: (any OutsideReceiver)? { inbox }

  /// Notes where a task waits that a thread outside has resumed, or starts that it has started.
  fileprivate func noteAwaited(by frames: [CodeAddress]) {
    let mostPlaces = 32
    if !frames.isEmpty, awaitedOutside.count < mostPlaces { awaitedOutside.insert(frames) }
  }

  func willRun(_ task: SwiftTask) { taskLog?.runs(task, at: now) }

  /// Frees what the sleeps hold that were cancelled.
  func runCancelledSleeps() {
    for job in timers.takeCancelledSleeps() {
      if let taskLog, let waker = job.task { taskLog.forget(waker) }
      unwatched { job.run() }
    }
  }

  /// Runs a task that is no business of the trace.
  func unwatched(_ body: () -> Void) {
    tasks.isWatched = false
    body()
    tasks.isWatched = taskLog != nil
  }

  /// Wakes the task whose sleep has ended.
  func run(_ sleep: Sleep) {
    LaneContext.current.perform(for: sleep.span) {
      sleep.job.run()
      taskLog?.returned(at: now)
    }
  }

  private func queued(_ job: SwiftJob) -> Job {
    let context = LaneContext.current
    // Safe: only the loop runs its jobs, and it lives while it does.
    guard let taskLog else { return Job({ [unowned(unsafe) self] in run(job) }, in: context) }
    if job.isYield { taskLog.yields() }
    let span = job.task.flatMap { task in
      if case .body = context.purpose { return taskLog.adopt(task, as: context.span) }
      return taskLog.becomesReady(
        task, for: job.place == .hop ? tasks.destination : nil, at: now)
    }
    return context.resuming(span ?? context.span) {
      Job(
        { [unowned self] in
          run(job)
          self.taskLog?.returned(at: now)
        }, in: context)
    }
  }
}

extension Inbox: OutsideReceiver {
  func receiveFromOutside(_ job: SwiftJob, after delay: Int64) {
    let frames = job.task?.frames ?? []
    let context = LaneContext.current
    // The spans of another simulation are none of this one's.
    let span = context.carried == nil ? context.span : .none
    let mail: Mail = { loop in
      loop.noteAwaited(by: frames)
      LaneContext.current.perform(for: span) {
        // Without a delay it wakes no sleep.
        if delay > 0 { loop.receive(job, after: delay) } else { loop.receive(job) }
      }
    }
    post(mail, for: job)
  }

  func performFromOutside(_ body: @escaping @Sendable () -> Void) { post { _ in body() } }
}

extension EventLoop {
  /// Does `body`, whose tasks belong to the simulation, on any thread.
  func leadingTasks<Result>(_ body: () -> Result) -> Result {
    if isCarriedByCaller { return body() }
    return tasks.leadingTasks(of: body)
  }

  /// Runs the job. A hop continues where it leads to: whether it is the next to arrive there was the choice.
  private func run(_ job: SwiftJob) {
    guard job.place == .hop else { return job.run() }
    hop = .leads(job.task)
    job.run()
    let end = hop
    hop = .none
    if case .led(let landed) = end { landed.run() }
  }
}

/// How far the hop of a task is that is being made.
enum Hop {
  case none
  /// Where it leads to will be ready: the task on the pool, or the actor that has it in its queue.
  case leads(SwiftTask?)
  case led(to: SwiftJob)
}

/// A task sleeps until its time has come.
struct Sleep {
  /// Wakes the task.
  let job: SwiftJob
  /// On whose behalf it sleeps; `.none` without a trace.
  let span: Span
}
