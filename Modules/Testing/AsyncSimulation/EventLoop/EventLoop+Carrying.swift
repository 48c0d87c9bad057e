import AsyncPatterns
import SwiftTasks

extension EventLoop {
  /// Whether the calling thread holds the baton, and so may touch the state.
  var isCarriedByCaller: Bool { isCarried(in: LaneContext.current) }

  /// - Parameter context: the context of the calling thread.
  func isCarried(in context: LaneContext) -> Bool { context.carried == identity }

  var identity: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

  /// Performs `action` now if the calling thread holds the baton. Otherwise the holder performs it before its next
  /// event.
  func perform(_ action: @escaping Inbox.Mail) {
    if isCarriedByCaller { action(self) } else { inbox.post(action) }
  }

  // MARK: Running

  /// Starts a run on a thread of the simulation. It traps if a run is in progress.
  func begin(
    until horizon: Instant, limit: Int, awaiting isAwaited: (@Sendable () -> Bool)? = nil,
    then onEnd: @escaping @Sendable (SimulatedRuntime.Ending) -> Void
  ) {
    prepare(until: horizon, limit: limit, awaiting: isAwaited, then: onEnd)
    EventLoopThread.start { self.carryOn(nil) }
  }

  /// Runs on the calling thread for as long as possible.
  ///
  /// - Parameters:
  ///   - isAwaited: returns whether unfinished work may have left the runtime.
  ///   - onEnd: called instead of returning the ending if the run ends on another thread. It can be called before this
  ///     function returns, since a job may have blocked the calling thread.
  /// - Returns: the ending; nil if the run has ended, or will end, on another thread.
  func runHere(
    limit: Int, awaiting isAwaited: (@Sendable () -> Bool)?,
    elsewhere onEnd: @escaping @Sendable (SimulatedRuntime.Ending) -> Void
  ) -> SimulatedRuntime.Ending? {
    prepare(until: Instant(nanoseconds: .max), limit: limit, awaiting: isAwaited, then: onEnd)
    let ending = carry(nil)
    if ending != nil { endRun() }
    return ending
  }

  /// Starts a run whose first job, on the main lane, is the code that the calling thread already runs.
  ///
  /// - Parameter onEnd: called on the thread on which the run ends.
  func beginWithCaller(
    limit: Int, awaiting isAwaited: @escaping @Sendable () -> Bool,
    then onEnd: @escaping @Sendable (SimulatedRuntime.Ending) -> Void
  ) {
    prepare(until: Instant(nanoseconds: .max), limit: limit, awaiting: isAwaited, then: onEnd)
    LaneContext.current.carried = identity
    noteCarrier()
    current = Place(lane: 0)
  }

  /// Notes that the calling thread has got the baton.
  func noteCarrier() { carrier.store(Threads.current, ordering: .relaxed) }

  /// Ends the first job of the run that `beginWithCaller` started, and runs other jobs on the calling thread.
  func carryOnWithCaller() {
    taskLog?.returned(at: now)
    releaseCurrentLane()
    carryOn(nil)
  }

  private func prepare(
    until horizon: Instant, limit: Int, awaiting isAwaited: (@Sendable () -> Bool)? = nil,
    then onEnd: @escaping @Sendable (SimulatedRuntime.Ending) -> Void
  ) {
    precondition(
      !isCarriedByCaller,
      "A job of this simulation asked it to run: the simulation that runs the job is already "
        + "running. Schedule the next work instead")
    precondition(
      inbox.beginRun(),
      "Two threads asked one simulation to run at the same time. Let one of them run it; any "
        + "thread may schedule work on it")
    self.horizon = max(horizon, now)
    self.eventsLeft = limit
    self.isAwaited = isAwaited
    self.onEnd = onEnd
  }

  func carryOn(_ first: Event?) {
    guard let ending = carry(first) else { return }
    let summary = summary()
    report.withLock { $0 = summary }
    let onEnd = onEnd
    endRun()
    onEnd?(ending)
  }

  /// Runs one event after another on the calling thread.
  ///
  /// - Returns: the ending if the run has ended; nil if the thread has given the baton away.
  private func carry(_ first: consuming Event?) -> SimulatedRuntime.Ending? {
    let context = LaneContext.current
    // The body of one simulation may run another simulation.
    let (outer, outerLoop) = (context.lane, context.carried)
    context.carried = identity
    noteCarrier()
    let outside = tasks.enter()
    defer {
      TaskSimulation.leave(to: outside)
      context.carried = outerLoop
      context.lane = outer
    }
    if let first {
      if let stop = carryOut(first, in: context) { return stop.ending }
    }
    while true {
      if let stop = carryOut(next(), in: context) { return stop.ending }
    }
  }

  /// Why a thread stops carrying the loop.
  enum Stop {
    case gaveAway
    case ended(SimulatedRuntime.Ending)

    var ending: SimulatedRuntime.Ending? {
      if case .ended(let ending) = self { ending } else { nil }
    }
  }

  // Always inlined, and the event is consumed: copying an event costs as much as finding it.
  @inline(__always)
  func carryOut(_ event: consuming Event, in context: LaneContext) -> Stop? {
    switch consume event {
    case .job(let job):
      if current.lane == 0, mainThreadWait != nil { return giveAway(.job(job), in: context) }
      enterLane(in: context)
      if let strand = current.strand {
        context.run(job, of: ObjectIdentifier(strand))
      } else {
        job.run(in: context)
      }
      leaveLane()
    case .task(let job):
      if current.lane == 0, mainThreadWait != nil { return giveAway(.task(job), in: context) }
      enterLane(in: context)
      run(job)
      leaveLane()
    case .endOfTurn(let side):
      if side == nil, mainThreadWait != nil { return giveAway(.endOfTurn(nil), in: context) }
      enterLane(in: context)
      for action in side?.endOfTurnActions ?? endOfTurnActions { action.run() }
      releaseCurrentLane()
    case .resume(let thread): return giveAway(.resume(thread), in: context)
    case .end(let ending):
      return .ended(ending)
    }
    return nil
  }

  /// Notes that the calling thread now runs on the current lane.
  private func enterLane(in context: LaneContext) {
    context.lane = Lane(number: current.lane)
    if let trace {
      context.noteHolder(holders.holder(of: current, at: now), until: now, in: trace)
    }
  }

  /// Notes that the job has returned, after which a run loop may end its turn.
  ///
  /// It is inlined, but without what few jobs need.
  @inline(__always)
  private func leaveLane() {
    releaseCurrentLane()
    if actionCount > 0 { markTurnEnds() }
  }

  @inline(never)
  private func markTurnEnds() {
    if current.lane == 0, !endOfTurnActions.isEmpty { ready.markTurnEnd() }
    if let side = current.side, !side.endOfTurnActions.isEmpty { ready.markTurnEnd(of: side) }
  }

  private func giveAway(_ event: Event, in context: LaneContext) -> Stop {
    // From here on, the other thread holds the baton.
    context.carried = nil
    pass(event)
    return .gaveAway
  }

  // MARK: Blocking

  /// Blocks the calling thread, which holds the baton, until the loop resumes it. Its job keeps its lane meanwhile.
  func block(_ thread: BlockedThread) {
    // `next()` runs hardly any other code: mail, the end of a sleep, the start of an occupation, or what is released
    // with a cancelled job. None of that may block a thread. So `next()` can run on top of the job's stack, and the
    // baton goes directly to the next thread. If this thread is the next, it keeps the baton.
    blockedThreads.append(thread)
    let queue = tasks.leaveQueue()
    switch next() {
    case .resume(let next) where next === thread: break
    case let event:
      pass(event)
      thread.gate.wait()
    }
    if thread.isAbandoned {
      // Other code that runs while the thread ends has nothing to do with the simulation.
      LaneContext.current.carried = nil
      TaskSimulation.outside { EventLoopThread.exit() }
    }
    noteCarrier()
    blockedThreads.removeAll { $0 === thread }
    tasks.enterQueue(queue)
    current = thread.place
  }

  /// Ends the threads of jobs that wait for a permit that will never come. Their lanes become free. The objects on the
  /// stacks leak, since nothing can unwind a stack.
  func abandonWaiters() {
    let abandoned = waiting.filter { $0.ownPlace != nil }
    waiting.removeAll { $0.ownPlace != nil }
    for thread in abandoned {
      thread.semaphore?.forget(thread)
      blockedThreads.removeAll { $0 === thread }
      current = thread.place
      if current.isOfPool { workers.blockedCount -= 1 }
      releaseCurrentLane()
      thread.abandon()
    }
  }

  // MARK: Work from other threads

  /// Takes in what other threads have left.
  ///
  /// - Returns: whether another thread wants the loop to stop.
  func takeMail() -> Bool {
    let contents = inbox.take()
    if !contents.strays.isEmpty { noteEscape(of: contents.strays) }
    // The mail belongs to no job, and so not to the lane on which the thread ran last.
    onLane(.main) { for mail in contents.mail { mail(self) } }
    return contents.isInterrupted
  }

  /// Records an escape. The origin of the work is known if it was the completion of a step, a start or a recorded task.
  /// Otherwise the suspects are the steps whose asynchronous code is unfinished.
  private func noteEscape(of strays: [Inbox.Stray]) {
    let spans = strays.map { stray in
      stray.job?.task.flatMap { taskLog?.span(of: $0) } ?? stray.span
    }
    let known = Set(spans).subtracting([.none])
    let suspects = known.isEmpty ? asynchronousBodies.keys.sorted() : known.sorted()
    escapes.append(SimulatedRuntime.Escape(time: now, count: strays.count, suspects: suspects))
    report(
      known.isEmpty && suspects.count != 1 ? [.none] : suspects,
      "work returned from a thread outside the simulation, so neither its order nor its time is "
        + "exact; use tasks or the runtime's schedulers instead")
  }

  /// Reports that nothing is left to do while awaited asynchronous code is outside the runtime.
  func noteAbsence() {
    let waiting = (taskLog?.unfinished ?? []).filter { asynchronousBodies[$0.span] != nil }
    let lost = Set(waiting.filter { $0.waitsFor == "a continuation" }.map(\.span))
    // Such code waits for something of the simulation, so time outside changes nothing.
    let inside = Set(waiting.filter { !$0.waitsFor.isEmpty }.map(\.span))
    report(
      lost.sorted(), of: "never-resumed",
      "it waits for a continuation, which nothing resumed within \(patience) ms of real time; "
        + "resume it once on every path, even after an error")
    report(
      asynchronousBodies.keys.filter { !inside.contains($0) }.sorted(),
      "its asynchronous code did not return within \(patience) ms of real time; if it sleeps or "
        + "waits on a thread outside the simulation, use a task instead")
  }

  /// Reports to the trace, once for each step.
  private func report(_ culprits: [Span], of rule: String = "clock-escape", _ detail: String) {
    guard let trace else { return }
    for culprit in culprits where escaped.insert(culprit).inserted {
      onLane(.main) { trace.record(.misuse(rule, detail, of: culprit, at: now)) }
    }
  }

  /// Reports a misuse, from any thread. The report goes to the trace, or to standard error without a trace. An
  /// exploration reads it when the loop has ended, and writes nothing to standard error.
  func misuse(_ rule: String, _ detail: String, of span: Span) {
    if let probe { perform { _ in probe.noteMisuse(rule, detail) } }
    if let trace {
      trace.record(.misuse(rule, detail, of: span, at: now))
    } else if probe == nil {
      StandardError.write("\(rule): \(detail)\n")
    }
  }

  /// Records something on a lane other than the calling thread's.
  func onLane(_ lane: Lane, _ record: () -> Void) {
    let context = LaneContext.current
    let outer = context.lane
    context.lane = lane
    record()
    context.lane = outer
  }
}
