import AsyncPatterns
import SwiftTasks
import Synchronization

/// One run of a subject under one schedule: from its start until nothing of it is left.
final class TrialRun {
  /// The choices of a trial, its injection, and whether to narrate it.
  struct Plan {
    var choices: Choices
    var point: Injection.Point?
    var narrates = false
    /// How many schedules of the exploration were planned before.
    var number = 0
  }

  /// The outcome of a trial.
  struct Outcome {
    var finding: Finding?
    var choices: Choices
    var point: Injection.Point?
    /// How many events it took.
    var eventCount: Int
    /// How many steps started, if starts were counted.
    var startCount: Int
    /// Where tasks waited for threads outside the simulation.
    var awaitedOutside: Set<[CodeAddress]> = []
    /// Whether some work left the simulation, so that not everything was a choice.
    var hasEscaped = false
    /// How many threads stayed blocked.
    var blockedCount: Int
    /// Known only if the trial was narrated.
    var narration: Narration?
    var isInterrupted: Bool
    /// The number of its plan.
    var number = 0
  }

  /// How many events the subject may take to stop.
  private static let stoppingLimit = 10_000

  let runtime: SimulatedRuntime
  let subject: any StartedSubject
  private let disturber: Disturber
  let log: TrialLog?
  private let isTraced: Bool
  private let number: Int
  private var outcome: Outcome?
  private let narrator: Narrator?

  /// - Parameter room: the memory that the previous trial has left.
  init(
    _ plan: Plan, of subject: any Subject, as exploration: Exploration, patience: Duration,
    room: consuming EventLoop.Room
  ) {
    isTraced = plan.narrates
    number = plan.number
    log = exploration.isRecording || plan.narrates ? TrialLog() : nil
    narrator = plan.narrates ? log.map(Narrator.init) : nil
    let probe = Probe(observer: narrator)
    disturber = Disturber(
      plan.point, countsStarts: exploration.injection.map { $0 != .cancel } ?? false,
      watchesStarts: exploration.isWatchingStarts, limit: exploration.eventLimit, probe: probe,
      narrator: narrator)
    runtime = SimulatedRuntime(
      workers: exploration.workers, choices: plan.choices, patience: patience,
      trace: log, probe: probe, room: room)
    if exploration.hasOwnRandomNumbers {
      runtime.loop.tasks.randomState = TaskSimulation.outside { .random(in: .min ... .max) }
    }
    self.subject = subject.start(on: runtime, disturbedBy: disturber)
  }

  /// Runs on the calling thread for as long as possible: see `EventLoop.runHere`.
  ///
  /// - Parameter isAwaited: whether to wait for unfinished work, which may have left the runtime.
  func runHere(
    isAwaited: Bool,
    elsewhere onEnd: @escaping @Sendable (SimulatedRuntime.Ending) -> Void
  ) -> SimulatedRuntime.Ending? {
    guard outcome == nil else {
      return runtime.loop.runHere(limit: Self.stoppingLimit, awaiting: nil, elsewhere: onEnd)
    }
    return runtime.loop.runHere(
      limit: disturber.eventsBefore, awaiting: isAwaited ? subject.isAwaited : nil,
      elsewhere: onEnd)
  }

  /// Its schedule, with the choices so far.
  func schedule(workers: Int) -> Schedule {
    Schedule(
      workers: workers, choices: runtime.loop.choices.schedule, injection: disturber.point)
  }

  /// How many events it has taken.
  var eventCount: Int { disturber.eventsTaken(left: runtime.loop.eventsLeft) }

  /// The narration so far; nil if the trial is not narrated.
  ///
  /// - Parameter hasEnded: whether the run has ended by itself.
  func narration(hasEnded: Bool) -> Narration? {
    var narration = narrator?.narration(log?.events ?? [])
    narration?.misfit = runtime.loop.choices.misfit(hasEnded: hasEnded)
    return narration
  }

  /// Starts with the code that the calling thread already runs.
  ///
  /// - Parameter onEnd: called on the thread on which the run ends.
  func beginWithCaller(then onEnd: @escaping @Sendable (SimulatedRuntime.Ending) -> Void) {
    runtime.loop.beginWithCaller(
      limit: disturber.eventsBefore, awaiting: subject.isAwaited ?? { false }, then: onEnd)
  }

  /// Whether a task may never stop. A loop that ignores its cancellation would hold its thread forever, since a sleep of
  /// a cancelled task ends immediately. Such a task is left as it is.
  private func isEndless(_ ending: SimulatedRuntime.Ending) -> Bool {
    ending == .limit && runtime.loop.tasks.hasTasks
  }

  /// The outcome; nil if the trial must continue first, so that unfinished work stops.
  func ended(_ ending: SimulatedRuntime.Ending) -> Outcome? {
    let loop = runtime.loop
    if let outcome {
      loop.abandonWaiters()
      return outcome
    }
    let events = log?.events ?? []
    let outcome = Outcome(
      // A narrated trial has a finding even if it was interrupted.
      finding: ending == .interrupted && !isTraced ? nil : subject.finding(ending, events),
      choices: loop.choices, point: disturber.point,
      eventCount: eventCount,
      startCount: disturber.startCount, awaitedOutside: loop.awaitedOutside,
      hasEscaped: loop.hasEscaped,
      blockedCount: loop.blockedThreads.count,
      narration: narration(hasEnded: ending != .interrupted),
      isInterrupted: ending == .interrupted, number: number)
    guard subject.isUnfinished, !isEndless(ending) else {
      loop.abandonWaiters()
      return outcome
    }
    self.outcome = outcome
    loop.probe?.isClosed = true
    subject.stop()
    return nil
  }
}

/// Stores the events that a trial records.
final class TrialLog: TraceSink {
  private let recorded = Locked<[TraceEvent]>([])
  private let spanCount = Atomic<UInt32>(0)

  var events: [TraceEvent] { recorded.withLock { $0 } }
  var count: Int { recorded.withLock { $0.count } }

  func record(_ event: TraceEvent) { recorded.withLock { $0.append(event) } }

  func nextSpan() -> Span { .outsideRuns(spanCount.add(1, ordering: .relaxed).newValue) }
}
