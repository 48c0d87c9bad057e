import AsyncPatterns
import SwiftTasks

/// Receives Swift's own tasks when the simulation's threads start or resume them. The tasks are not aware of the
/// simulation.
extension EventLoop: JobReceiver {
  func receive(_ job: SwiftJob) {
    if case .leads(let task) = hop, job.place == .pool, job.task == nil || job.task == task {
      hop = .led(to: job)
      return
    }
    if wokenTasks.waking != nil { noteWoken(by: job) }
    let chain = chains.next()
    let queued = trace == nil ? QueuedJob.task(job) : .job(traced(job))
    switch job.place {
    case .main: ready.appendToMain(queued, chain: chain)
    case .pool, .hop: ready.append(.job(queued), chain: chain)
    }
  }

  func receive(_ job: SwiftJob, after delay: Int64) {
    if let taskLog, let waker = job.task { taskLog.sleeps(until: waker, since: now) }
    guard delay > 0 else { return receive(job) }
    timers.add(
      .sleep(Sleep(job: job, span: LaneContext.current.span)),
      at: now.advanced(by: .nanoseconds(delay)), chain: chains.next())
  }

  var outsideReceiver: (any OutsideReceiver)? { inbox }

  /// Notes the code of a task that a thread outside the simulation has resumed or started: where the task waited, or
  /// where it starts.
  fileprivate func noteAwaited(by frames: [CodeAddress]) {
    let mostPlaces = 32
    if !frames.isEmpty, awaitedOutside.count < mostPlaces { awaitedOutside.insert(frames) }
  }

  func willRun(_ task: SwiftTask) {
    taskLog?.runs(task, at: now)
    if !wokenTasks.isEmpty { chooseEndOfSleep(of: task) }
  }

  /// Calls `body`, whose tasks the trace does not record.
  func unwatched(_ body: () -> Void) {
    tasks.isWatched = false
    body()
    updateWatch()
  }

  func updateWatch() { tasks.isWatched = taskLog != nil || !wokenTasks.isEmpty }

  private func traced(_ job: SwiftJob) -> Job {
    let context = LaneContext.current
    guard let taskLog else { return Job({ [unowned self] in run(job) }, in: context) }
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
    // A span of another simulation means nothing in this one.
    let span = context.carried == nil ? context.span : .none
    let mail: Mail = { loop in
      loop.noteAwaited(by: frames)
      LaneContext.current.perform(for: span) {
        // Without a delay, the job wakes no sleep.
        if delay > 0 { loop.receive(job, after: delay) } else { loop.receive(job) }
      }
    }
    post(mail, for: job)
  }

  func performFromOutside(_ body: @escaping @Sendable () -> Void) { post { _ in body() } }
}

extension EventLoop {
  /// Calls `body` on any thread, so that the tasks that it starts belong to the simulation.
  func leadingTasks<Result>(_ body: () -> Result) -> Result {
    if isCarriedByCaller { return body() }
    return tasks.leadingTasks(of: body)
  }

  /// Runs the job. A hop continues immediately at its destination, because the choice of the hop has already decided
  /// which task arrives there next.
  func run(_ job: SwiftJob) {
    guard job.place == .hop else { return job.run() }
    hop = .leads(job.task)
    job.run()
    let end = hop
    hop = .none
    if case .led(let landed) = end { landed.run() }
  }
}

/// The progress of the hop that a task makes.
enum HopProgress {
  case none
  /// The task will become ready on the pool, or it is in the queue of an actor that will.
  case leads(SwiftTask?)
  case led(to: SwiftJob)
}
