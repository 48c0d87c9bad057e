import AsyncPatterns
import SwiftTasks

extension EventLoop {
  /// Advances the clock to the next timer. Without a timer, waits for work from outside the simulation.
  ///
  /// - Returns: the ending of the run, if nothing more will happen in it.
  // Not inlined, so that the choice of an event that is ready saves no registers for this function.
  @inline(never)
  func passTime() -> SimulatedRuntime.Ending? {
    let deadline = timers.nextDeadline()
    runCancelledSleeps()
    if !wokenTasks.isEmpty { endInstant() }
    if let deadline {
      guard deadline <= horizon else {
        setClock(horizon)
        return .reached
      }
      if !runLoopWaits.isEmpty, let instant = endLook(before: deadline) {
        setClock(instant)
        return nil
      }
      if workers.blockedCount > 0 { noteStarvation() }
      setClock(deadline)
      var isFirst = true
      while let due = timers.popNext(at: deadline) {
        fire(due, isAlone: isFirst && !timers.hasAlarm(at: deadline))
        isFirst = false
      }
      return nil
    }
    let isAwaited = isAwaited?() ?? false
    if isAwaited || !asynchronousBodies.isEmpty || tasks.waitsForDispatch {
      if TaskSimulation.outside({ inbox.wait(milliseconds: patience) }) { return nil }
      hasWaitedInVain = true
      if isAwaited { noteAbsence() }
    }
    // A thread that has ended meanwhile may have left work before it ended.
    if !inbox.isEmpty { return nil }
    if let job = probe?.takeLate() {
      ready.append(.job(.job(job)), chain: chains.next())
      return nil
    }
    if horizon.nanoseconds != .max { setClock(horizon) }
    return .idle
  }

  /// - Parameter isAlone: whether no other alarm has the same deadline.
  private func fire(_ due: consuming Timers.Due, isAlone: Bool) {
    let chain = due.chain
    switch consume due.alarm {
    case .timer(let timer):
      timer.isReady = true
      enqueue(.timer(timer), for: timer.target, chain: chain)
    case .occupation(let occupation):
      occupation.phase = .finished
      ready.resume(.occupation(occupation), chain: chain)
    case .blocked(let thread):
      thread.end()
      ready.resume(.blocked(thread), chain: chain)
    case .sleep(let sleep):
      // The time at which the task is woken is not a choice. The time at which it continues is one. If other code of
      // this instant cancels the task before it continues, then the way in which its sleep ended is one, too.
      chains.enter(chain)
      end(sleep, isAlone: isAlone)
    case .blocking(let blocking):
      blocking.timeOut()
    }
  }
}
