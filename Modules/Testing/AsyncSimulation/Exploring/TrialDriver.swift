import AsyncPatterns
import Synchronization

/// Says which trial to make next, and learns from what came of it.
protocol TrialPlanner: SendableMetatype {
  /// The next trial; nil if all is done.
  mutating func next() -> TrialRun.Plan?
  mutating func learn(_ outcome: TrialRun.Outcome)
  /// Somebody wants it to end.
  mutating func interrupt()
  /// How many schedules have been tried.
  var triedCount: Int { get }
}

/// Runs one trial after another, each on the thread where the last one ended.
///
/// A hand-off to another thread would cost more than most trials do. It happens where a job of a trial
/// parks: then that trial, and the search with it, goes on elsewhere.
final class TrialDriver<Planner: TrialPlanner>: @unchecked Sendable {
  // Safe to share: the state is touched by the thread that drives, and who drives hands it on with the
  // baton of the simulation that is being run.
  private let exploration: Exploration
  /// Nil once all is done: what it holds is released before that is reported.
  private var subject: (any Subject)?
  private let onEnd: @Sendable (Planner) -> Void
  private var planner: Planner
  private var trial: TrialRun?
  /// What the last trial has left for the next one.
  private var room = EventLoop.Room()
  /// Whether something has come back that had left the runtime.
  private var hasEscaped = false
  /// How many trials have waited in vain for asynchronous code to come back.
  private var vainWaits = 0
  private let isInterrupted = Atomic<Bool>(false)
  private let triedCount = Atomic<Int>(0)
  /// The simulation that is being run, for who wants to interrupt it.
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
    Carrier.start { self.drive() }
    return OngoingExploration(
      interrupt: { self.interrupt() }, triedCount: { self.triedCount.load(ordering: .relaxed) })
  }

  /// Ends it before the next event.
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
      // If it goes on elsewhere, everything is that thread's from here on.
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
    // Moved, since whoever else held it would make the trial copy it.
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

  /// Where nothing has escaped so far, waiting a tenth of a second at each deadlock, and for each
  /// completion that is held back, would take all the time there is. What is told gets it all.
  private func patience(for plan: TrialRun.Plan) -> Duration {
    hasEscaped || vainWaits < 10 || plan.narrates
      ? exploration.patience : exploration.patience / 50
  }

  private func ended(_ ending: SimulatedRuntime.Ending) {
    guard let trial, var outcome = trial.ended(ending) else { return }
    // Code of the trial can interrupt it, too; then it counts as any other.
    outcome.isInterrupted = outcome.isInterrupted && isInterrupted.load(ordering: .acquiring)
    self.trial = nil
    if !trial.runtime.loop.escapes.isEmpty { hasEscaped = true }
    if trial.runtime.loop.hasWaitedInVain { vainWaits += 1 }
    room = trial.runtime.loop.close()
    planner.learn(outcome)
    triedCount.store(planner.triedCount, ordering: .relaxed)
  }
}

/// An exploration that is under way.
public final class OngoingExploration: Cancellable {
  private let interrupt: @Sendable () -> Void
  private let triedCount: @Sendable () -> Int

  init(interrupt: @escaping @Sendable () -> Void, triedCount: @escaping @Sendable () -> Int) {
    self.interrupt = interrupt
    self.triedCount = triedCount
  }

  /// How many schedules have been tried.
  public var schedules: Int { triedCount() }

  /// Ends it before the next event of the schedule that is being tried; it reports what it has.
  public func cancel() { interrupt() }
}
