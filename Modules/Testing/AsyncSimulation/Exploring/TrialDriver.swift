import AsyncPatterns
import Synchronization

/// Plans the next trial, and learns from its outcome.
protocol TrialPlanner: SendableMetatype {
  /// The next trial; nil if all is done.
  mutating func next() -> TrialRun.Plan?
  mutating func learn(_ outcome: TrialRun.Outcome)
  /// Ends the search early.
  mutating func interrupt()
  /// How many schedules have been tried.
  var triedCount: Int { get }
}

/// Runs one trial after another, each on the thread where the last one ended.
///
/// Switching to another thread would cost more than most trials. It happens only when a job of a trial blocks its
/// thread. Then that trial, and the search with it, continues on another thread.
final class TrialDriver<Planner: TrialPlanner>: @unchecked Sendable {
  // Safe to share: only the driving thread touches the state. It passes the state on with the baton of the running
  // simulation.
  private let exploration: Exploration
  /// Nil once all is done: the subject is released before the end is reported.
  private var subject: (any Subject)?
  private let onEnd: @Sendable (Planner) -> Void
  private var planner: Planner
  private var trial: TrialRun?
  /// The memory that the last trial has left for the next one.
  private var room = EventLoop.Room()
  /// Whether work that had left the runtime has come back.
  private var hasEscaped = false
  /// How many trials have waited in vain for asynchronous code to come back.
  private var vainWaits = 0
  private let isInterrupted = Atomic<Bool>(false)
  private let triedCount = Atomic<Int>(0)
  /// The running simulation, for threads that want to interrupt it.
  private let current = Locked<EventLoop?>(nil)

  init(
    _ planner: Planner, of subject: any Subject, as exploration: Exploration,
    then onEnd: @escaping @Sendable (Planner) -> Void
  ) {
    self.planner = planner
    self.exploration = exploration
    self.subject = subject
    self.onEnd = onEnd
  }

  @discardableResult
  func start() -> OngoingExploration {
    EventLoopThread.start { self.drive() }
    return OngoingExploration(
      interrupt: { self.interrupt() }, triedCount: { self.triedCount.load(ordering: .relaxed) })
  }

  /// Ends the search before the next event.
  func interrupt() {
    isInterrupted.store(true, ordering: .releasing)
    current.withLock { $0 }?.inbox.interrupt()
  }

  /// Continues on the calling thread, until a trial continues elsewhere or all is done.
  private func drive() {
    while let trial = trial ?? nextTrial() {
      self.trial = trial
      let isAwaited = hasEscaped || vainWaits < 3
      let ending = trial.runHere(isAwaited: isAwaited) { [self] ending in
        ended(ending)
        drive()
      }
      // If the trial continues on another thread, that thread owns everything from here on.
      guard let ending else { return }
      ended(ending)
    }
    current.withLock { $0 = nil }
    subject = nil
    onEnd(planner)
  }

  private func nextTrial() -> TrialRun? {
    if isInterrupted.load(ordering: .acquiring) { planner.interrupt() }
    guard let subject, let plan = planner.next() else { return nil }
    // The room is moved, since another reference to it would make the trial copy it.
    let trial = TrialRun(
      plan, of: subject, as: exploration, patience: patience(for: plan), room: takeRoom())
    current.withLock { $0 = trial.runtime.loop }
    return trial
  }

  private func takeRoom() -> EventLoop.Room {
    var taken = EventLoop.Room()
    swap(&taken, &room)
    return taken
  }

  /// If nothing has escaped so far, waiting a tenth of a second at each deadlock and each held completion would take
  /// all available time. A narrated trial gets the full patience.
  private func patience(for plan: TrialRun.Plan) -> Duration {
    hasEscaped || vainWaits < 10 || plan.narrates
      ? exploration.patience : exploration.patience / 50
  }

  private func ended(_ ending: SimulatedRuntime.Ending) {
    guard let trial, var outcome = trial.ended(ending) else { return }
    // Code of the trial can interrupt the simulation, too. Then the trial counts like any other.
    outcome.isInterrupted = outcome.isInterrupted && isInterrupted.load(ordering: .acquiring)
    self.trial = nil
    if !trial.runtime.loop.escapes.isEmpty { hasEscaped = true }
    if trial.runtime.loop.hasWaitedInVain { vainWaits += 1 }
    room = trial.runtime.loop.close()
    planner.learn(outcome)
    triedCount.store(planner.triedCount, ordering: .relaxed)
  }
}

/// An exploration in progress.
public final class OngoingExploration: Cancellable {
  private let interrupt: @Sendable () -> Void
  private let triedCount: @Sendable () -> Int

  init(interrupt: @escaping @Sendable () -> Void, triedCount: @escaping @Sendable () -> Int) {
    self.interrupt = interrupt
    self.triedCount = triedCount
  }

  /// How many schedules have been tried.
  public var schedules: Int { triedCount() }

  /// Ends the exploration before the next event of the current schedule. It reports the results so far.
  public func cancel() { interrupt() }
}
