import AsyncPatterns

/// Runs one trial after another, each on the thread where the last one ended.
///
/// Switching to another thread would cost more than most trials. It happens only when a job of a trial blocks its
/// thread. Then that trial, and those after it, continue on another thread.
final class TrialThread<Planner: TrialPlanner>: @unchecked Sendable {
  // Safe to share: only the driving thread touches the state. It passes the state on with the baton of the running
  // simulation.
  private let driver: TrialDriver<Planner>
  private var trial: TrialRun?
  /// The outcome of the last trial, until the driver has learned it.
  private var outcome: TrialRun.Outcome?
  /// The memory that the last trial has left for the next one.
  private var room = EventLoop.Room()
  private let gate = Gate()
  /// The running simulation, for threads that want to interrupt it.
  private let current = Locked<EventLoop?>(nil)

  init(of driver: TrialDriver<Planner>) { self.driver = driver }

  /// Interrupts the current trial before its next event.
  func interrupt() { current.withLock { $0 }?.inbox.interrupt() }

  /// The schedule of the current trial, whose code has crashed.
  func crashedSchedule(workers: Int) -> Schedule? { trial?.schedule(workers: workers) }

  /// Runs trials on the calling thread, until a trial continues on another thread or no trial is left.
  func drive() {
    while let trial = trial ?? nextTrial() {
      self.trial = trial
      let ending = trial.runHere(isAwaited: driver.isAwaited) { [self] ending in
        ended(ending)
        drive()
      }
      // If the trial continues on another thread, that thread owns everything from here on.
      guard let ending else { return }
      ended(ending)
    }
    current.withLock { $0 = nil }
    driver.threadEnds()
  }

  private func nextTrial() -> TrialRun? {
    defer { outcome = nil }
    guard let (plan, subject) = driver.next(after: outcome, waitingAt: gate) else { return nil }
    // The room is moved, since another reference to it would make the trial copy it.
    let trial = driver.run(plan, of: subject, in: takeRoom())
    current.withLock { $0 = trial.runtime.loop }
    return trial
  }

  private func takeRoom() -> EventLoop.Room {
    var taken = EventLoop.Room()
    swap(&taken, &room)
    return taken
  }

  private func ended(_ ending: SimulatedRuntime.Ending) {
    guard let trial, var outcome = trial.ended(ending) else { return }
    outcome.isInterrupted = outcome.isInterrupted && driver.wasInterrupted
    self.trial = nil
    driver.note(trial.runtime.loop)
    room = trial.runtime.loop.close()
    self.outcome = outcome
  }
}
