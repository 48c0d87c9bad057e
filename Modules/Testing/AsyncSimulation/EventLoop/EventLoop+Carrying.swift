import AsyncPatterns
import SwiftTasks

extension EventLoop {
  /// Whether the calling thread has the baton, so that it may touch the state.
  var isCarriedByCaller: Bool { isCarried(in: LaneContext.current) }

  /// - Parameter context: the calling thread's.
  func isCarried(in context: LaneContext) -> Bool { context.carried == identity }

  var identity: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }

  /// Does it now, or, if another thread has the baton, before that one's next event.
  func perform(_ action: @escaping Inbox.Mail) {
    if isCarriedByCaller { action(self) } else { inbox.post(action) }
  }

  // MARK: Running

  /// Begins a run, unless one is under way, on a thread of the simulation's own.
  func begin(
    until horizon: Instant, limit: Int, awaiting isAwaited: (@Sendable () -> Bool)? = nil,
    then onEnd: @escaping @Sendable (SimulatedRuntime.Ending) -> Void
  ) {
    prepare(until: horizon, limit: limit, awaiting: isAwaited, then: onEnd)
    Carrier.start { self.carryOn(nil) }
  }

  /// Runs on the calling thread, as far as that can be.
  ///
  /// - Parameters:
  ///   - isAwaited: whether something is unfinished that may have left the runtime.
  ///   - onEnd: called instead of returning if the run ends on another thread, which can be before this
  ///     returns: a job may have parked the calling one.
  /// - Returns: nil if the run has ended, or will, on another thread.
  func runHere(
    limit: Int, awaiting isAwaited: (@Sendable () -> Bool)?,
    elsewhere onEnd: @escaping @Sendable (SimulatedRuntime.Ending) -> Void
  ) -> SimulatedRuntime.Ending? {
    prepare(until: Instant(nanoseconds: .max), limit: limit, awaiting: isAwaited, then: onEnd)
    let ending = carry(nil)
    if ending != nil { endRun() }
    return ending
  }

  /// Begins a run with what the calling thread does already, as the first job of the main lane.
  ///
  /// - Parameter onEnd: called on the thread on which the run ends.
  func beginWithCaller(
    limit: Int, awaiting isAwaited: @escaping @Sendable () -> Bool,
    then onEnd: @escaping @Sendable (SimulatedRuntime.Ending) -> Void
  ) {
    prepare(until: Instant(nanoseconds: .max), limit: limit, awaiting: isAwaited, then: onEnd)
    LaneContext.current.carried = identity
    current = Place(lane: 0)
  }

  /// That first job has returned: the calling thread runs others now.
  func carryOnWithCaller() {
    releaseCurrentLane()
    carryOn(nil)
  }

  private func prepare(
    until horizon: Instant, limit: Int, awaiting isAwaited: (@Sendable () -> Bool)? = nil,
    then onEnd: @escaping @Sendable (SimulatedRuntime.Ending) -> Void
  ) {
    precondition(
      !isCarriedByCaller,
      "A job of this simulation asked it to run: the simulation that runs the job is already running. "
        + "Schedule what is to happen instead")
    precondition(
      inbox.beginRun(),
      "Two threads asked one simulation to run at the same time. Let one of them run it, and schedule "
        + "on it from wherever you like")
    self.horizon = max(horizon, now)
    self.eventsLeft = limit
    self.isAwaited = isAwaited
    self.onEnd = onEnd
  }

  private func carryOn(_ first: Event?) {
    guard let ending = carry(first) else { return }
    let summary = summary()
    report.withLock { $0 = summary }
    let onEnd = onEnd
    endRun()
    onEnd?(ending)
  }

  /// Runs one event after another on the calling thread, until it has to give the baton away (nil), or
  /// nothing is left to do.
  private func carry(_ first: consuming Event?) -> SimulatedRuntime.Ending? {
    let context = LaneContext.current
    // A body of one simulation may run another one.
    let (outer, outerLoop) = (context.lane, context.carried)
    context.carried = identity
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

  /// Why a thread carries the loop no longer.
  private enum Stop {
    case gaveAway
    case ended(SimulatedRuntime.Ending)

    var ending: SimulatedRuntime.Ending? {
      if case .ended(let ending) = self { ending } else { nil }
    }
  }

  // Always inlined, and the event its own: copying one costs as much as finding it.
  @inline(__always)
  private func carryOut(_ event: consuming Event, in context: LaneContext) -> Stop? {
    switch consume event {
    case .job(let job, let place):
      let lane = place.lane
      current = place
      context.lane = Lane(number: lane)
      if let trace {
        context.noteHolder(holders.holder(of: place, at: now), until: now, in: trace)
      }
      job.run(in: context)
      releaseCurrentLane()
      if lane == 0, !endOfTurnActions.isEmpty { ready.markTurnEnd() }
      if let side = place.side, !side.endOfTurnActions.isEmpty { ready.markTurnEnd(of: side) }
    case .endOfTurn(let side):
      let lane = side?.lane ?? 0
      current = Place(lane: lane, side: side)
      context.lane = Lane(number: lane)
      if let trace {
        context.noteHolder(holders.holder(of: current, at: now), until: now, in: trace)
      }
      for action in side?.endOfTurnActions ?? endOfTurnActions { action.run() }
      releaseCurrentLane()
    case .resume(let parked):
      // What follows is the other thread's.
      context.carried = nil
      parked.gate.open()
      return .gaveAway
    case .end(let ending):
      return .ended(ending)
    }
    return nil
  }

  // MARK: Parking

  /// Parks the calling thread, which has the baton, until the loop comes back to it. Its job keeps its
  /// lane meanwhile.
  func park(_ parked: ParkedThread) {
    // Deciding runs hardly any code of others (the beginning of an occupation, what goes with a job that
    // was called off), and none that may park, so it can be done on top of the job's stack; the baton
    // then goes straight to whoever is next, and if that is this very thread, to nobody.
    standing.append(parked)
    switch next() {
    case .resume(let next) where next === parked: break
    case .resume(let next):
      next.gate.open()
      parked.gate.wait()
    case let event:
      Carrier.start { self.carryOn(event) }
      parked.gate.wait()
    }
    if parked.isAbandoned {
      // What else runs as the thread ends has nothing to do with the simulation.
      LaneContext.current.carried = nil
      TaskSimulation.outside { Carrier.exit() }
    }
    standing.removeAll { $0 === parked }
    current = parked.place
  }

  /// Ends the threads of jobs that wait for a permit that will never come, which leaks what their
  /// stacks hold: nothing can unwind those. Their lanes are free then.
  func abandonWaiters() {
    let abandoned = waiting.filter { $0.ownPlace != nil }
    waiting.removeAll { $0.ownPlace != nil }
    for parked in abandoned {
      parked.semaphore?.forget(parked)
      standing.removeAll { $0 === parked }
      current = parked.place
      if current.isOfPool { workers.blockedCount -= 1 }
      releaseCurrentLane()
      parked.abandon()
    }
  }

  // MARK: From elsewhere

  /// Takes in what other threads have left; whether one of them wants the loop to stop.
  func takeMail() -> Bool {
    let contents = inbox.take()
    if !contents.strays.isEmpty { noteEscape(of: contents.strays) }
    // It belongs to no job, and so to none of the lanes on which the thread was last.
    onLane(.main) { for mail in contents.mail { mail(self) } }
    return contents.isInterrupted
  }

  /// Those that brought work from elsewhere are known if it was a step's completion, a start or a recorded task;
  /// else those are suspected whose asynchronous code is unfinished.
  private func noteEscape(of strays: [Inbox.Stray]) {
    let spans = strays.map { stray in
      stray.job?.task.flatMap { taskLog?.span(of: $0) } ?? stray.span
    }
    let known = Set(spans).subtracting([.none])
    let suspects = known.isEmpty ? asynchronousBodies.keys.sorted() : known.sorted()
    escapes.append(SimulatedRuntime.Escape(time: now, count: strays.count, suspects: suspects))
    report(
      known.isEmpty && suspects.count != 1 ? [.none] : suspects,
      "work came back from a thread that is not the simulation's, so neither its order nor its time is "
        + "exact; use tasks or the runtime's schedulers instead")
  }

  /// Nothing is left to do, and asynchronous code that is awaited is somewhere else.
  func noteAbsence() {
    report(
      asynchronousBodies.keys.sorted(),
      "its asynchronous code did not come back within \(patience) ms of the machine's time; if it sleeps or "
        + "waits on a thread outside, use a task instead")
  }

  /// Tells the trace, once of each step.
  private func report(_ culprits: [Span], _ detail: String) {
    guard let trace else { return }
    for culprit in culprits where escaped.insert(culprit).inserted {
      onLane(.main) { trace.record(.misuse("clock-escape", detail, of: culprit, at: now)) }
    }
  }

  /// Reports, from any thread, that something was used wrongly: to the trace, or to standard error if
  /// there is none; an exploration reads it when the loop has come to its end.
  func misuse(_ rule: String, _ detail: String, of span: Span) {
    if let probe { perform { _ in probe.noteMisuse(rule, detail) } }
    if let trace {
      trace.record(.misuse(rule, detail, of: span, at: now))
    } else if probe == nil {
      StandardError.write("\(rule): \(detail)\n")
    }
  }

  /// Records something on a lane that is not the calling thread's.
  func onLane(_ lane: Lane, _ record: () -> Void) {
    let context = LaneContext.current
    let outer = context.lane
    context.lane = lane
    record()
    context.lane = outer
  }
}
