import AsyncPatterns
import Synchronization

/// Plans the next trial, and learns from its outcome.
protocol TrialPlanner: Sendable {
  /// The next trial. Several trials may be tried at the same time, each on a thread of its own.
  mutating func next() -> NextPlan<TrialRun.Plan>
  /// Learns from an outcome. Outcomes may come in a different order than their plans.
  mutating func learn(_ outcome: TrialRun.Outcome)
  /// Ends the search early.
  mutating func interrupt()
  /// How many schedules have been tried.
  var triedCount: Int { get }
  /// Whether another trial may be tried at the same time as the last one.
  var takesSeveral: Bool { get }
}

/// Tries the plans of a planner on one or more threads, until all is done.
final class TrialDriver<Planner: TrialPlanner>: @unchecked Sendable {
  // Safe to share: the lock guards the state, and all values that are passed to an exploration can be shared.
  private struct State: Sendable {
    var planner: Planner
    /// Nil once all is done: the subject is released before the end is reported.
    var subject: (any Subject)?
    /// Nil once it is called: what it captures may refer to this driver.
    var onEnd: (@Sendable (Planner) -> Void)?
    /// The threads that wait for the outcome of another thread's trial.
    var waiting: [Gate] = []
    var threadCount: Int
  }

  private let exploration: Exploration
  private let state: Locked<State>
  private let isInterrupted = Atomic<Bool>(false)
  private let triedCount = Atomic<Int>(0)
  /// Whether work that had left the runtime has come back.
  private let hasEscaped = Atomic<Bool>(false)
  /// How many trials have waited in vain for asynchronous code to come back.
  private let vainWaits = Atomic<Int>(0)
  private let threads: Locked<[TrialThread<Planner>]>

  init(
    _ planner: Planner, of subject: any Subject, as exploration: Exploration,
    then onEnd: @escaping @Sendable (Planner) -> Void
  ) {
    self.exploration = exploration
    let count = max(1, min(exploration.threads, exploration.schedules, 1_000))
    state = Locked(State(planner: planner, subject: subject, onEnd: onEnd, threadCount: count))
    threads = Locked([])
  }

  @discardableResult
  func start() -> OngoingExploration {
    let count = state.withLock { $0.threadCount }
    let started = (0..<count).map { _ in TrialThread(of: self) }
    threads.withLock { $0 = started }
    for thread in started { EventLoopThread.start { thread.drive() } }
    return OngoingExploration(
      interrupt: { self.interrupt() }, triedCount: { self.triedCount.load(ordering: .relaxed) },
      crashedSchedule: { self.crashedSchedule })
  }

  private var crashedSchedule: Schedule? {
    let threads = threads.withLock { $0 }
    return threads.count == 1 ? threads[0].crashedSchedule(workers: exploration.workers) : nil
  }

  /// Ends the search before the next event.
  func interrupt() {
    isInterrupted.store(true, ordering: .releasing)
    for thread in threads.withLock({ $0 }) { thread.interrupt() }
  }

  // MARK: For the threads

  /// The next trial for a thread. If another thread's outcome is needed first, the calling thread is blocked until then.
  ///
  /// - Parameters:
  ///   - outcome: the outcome of the thread's last trial.
  ///   - gate: opened when the thread need no longer wait.
  /// - Returns: nil if all is done.
  func next(
    after outcome: TrialRun.Outcome?, waitingAt gate: Gate
  ) -> (plan: TrialRun.Plan, subject: any Subject)? {
    var outcome = outcome
    while true {
      let (next, subject, woken) = state.withLock { state in
        if let outcome { state.planner.learn(outcome) }
        if isInterrupted.load(ordering: .acquiring) { state.planner.interrupt() }
        triedCount.store(state.planner.triedCount, ordering: .relaxed)
        let next = state.planner.next()
        var woken: [Gate] = []
        switch next {
        case .wait: state.waiting.append(gate)
        case .plan where !state.planner.takesSeveral: break
        case .plan, .finished: swap(&woken, &state.waiting)
        }
        return (next, state.subject, woken)
      }
      outcome = nil
      for gate in woken { gate.open() }
      switch next {
      case .plan(let plan):
        guard let subject else { return nil }
        return (plan, subject)
      case .wait: gate.wait()
      case .finished: return nil
      }
    }
  }

  /// Ends one of the threads. The last one reports the end.
  func threadEnds() {
    let isLast = state.withLock { state in
      state.threadCount -= 1
      return state.threadCount == 0
    }
    guard isLast else { return }
    // The subject may run other code when it is released, so that happens outside the lock.
    _ = state.withLock { state in
      defer { state.subject = nil }
      return state.subject
    }
    let (planner, onEnd) = state.withLock { state in
      defer { state.onEnd = nil }
      return (state.planner, state.onEnd)
    }
    threads.withLock { $0 = [] }
    onEnd?(planner)
  }

  func run(_ plan: TrialRun.Plan, of subject: any Subject, in room: consuming EventLoop.Room)
    -> TrialRun
  {
    TrialRun(plan, of: subject, as: exploration, patience: patience(for: plan), room: room)
  }

  /// Whether to wait for unfinished work, which may have left the runtime.
  var isAwaited: Bool {
    hasEscaped.load(ordering: .relaxed) || vainWaits.load(ordering: .relaxed) < 3
  }

  /// If nothing has escaped so far, waiting a tenth of a second at each deadlock and each held completion would take
  /// all available time. A narrated trial gets the full patience.
  private func patience(for plan: TrialRun.Plan) -> Duration {
    hasEscaped.load(ordering: .relaxed) || vainWaits.load(ordering: .relaxed) < 10
      || plan.narrates ? exploration.patience : exploration.patience / 50
  }

  /// Notes whether work of a trial has left the runtime.
  func note(_ loop: EventLoop) {
    if !loop.escapes.isEmpty { hasEscaped.store(true, ordering: .relaxed) }
    if loop.hasWaitedInVain { vainWaits.add(1, ordering: .relaxed) }
  }

  /// Whether the search was interrupted. The ending of a trial does not show that: the trial's own code can interrupt
  /// the simulation, too. Such a trial counts like any other.
  var wasInterrupted: Bool { isInterrupted.load(ordering: .acquiring) }
}

/// An exploration in progress.
public final class OngoingExploration: Cancellable {
  private let interrupt: @Sendable () -> Void
  private let triedCount: @Sendable () -> Int
  private let scheduleOfCrash: @Sendable () -> Schedule?

  init(
    interrupt: @escaping @Sendable () -> Void, triedCount: @escaping @Sendable () -> Int,
    crashedSchedule: @escaping @Sendable () -> Schedule?
  ) {
    self.interrupt = interrupt
    self.triedCount = triedCount
    scheduleOfCrash = crashedSchedule
  }

  /// How many schedules have been tried.
  public var schedules: Int { triedCount() }

  /// The schedule under which the code has crashed, with the choices until then. Nil if several schedules are tried at
  /// the same time. It may be read only after the code has crashed, when its thread is blocked forever.
  package var crashedSchedule: Schedule? { scheduleOfCrash() }

  /// Ends the exploration before the next event of each current schedule. It reports the results so far.
  public func cancel() { interrupt() }
}
