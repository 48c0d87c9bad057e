import AsyncPatterns
import SwiftTasks

/// The progress of an exploration. First it tries schedules. Then it simplifies the first schedule that violated the
/// property, narrates it, and compares it with schedules that pass.
struct SearchProgress: TrialPlanner {
  /// How many blocked threads may be abandoned before the remaining schedules are skipped.
  private static let blockedLimit = 10_000
  /// The minimum number of schedules to try before they count as all. Code that escapes the runtime may show a choice
  /// only in the second schedule.
  private static let proof = 10
  /// How many runs may be used to simplify a schedule, and how many to find one that passes. Longer schedules get fewer
  /// runs.
  private static let attemptLimits = 20...1_000
  /// How many events may be used to simplify a schedule, and how many to find one that passes. The minimum number of
  /// runs is allowed even if those runs use more events.
  private static let attemptEvents = 500_000

  private enum Phase {
    case exploring
    case shrinking(Shrinking, attemptsLeft: Int)
    case narrating
    case findingPassingSchedule(PassingScheduleSearch, Narration)
    case finished
  }

  private(set) var report = ExplorationReport()
  private let exploration: Exploration
  private var strategy: any SearchStrategy
  private var phase = Phase.exploring
  private var tried = TriedSchedules()
  /// How many schedules have been planned, and for how many the outcome is known.
  private var plannedCount = 0
  private var learnedCount = 0
  /// Outcomes that became known before those of earlier schedules, by number.
  private var early: [Int: TrialRun.Outcome] = [:]
  /// Whether all schedules whose outcomes are not yet known are skipped.
  private var isStopped = false
  /// Whether a trial of the violation is in progress. There is only one at a time.
  private var isTrying = false
  private var escapes: Set<[CodeAddress]> = []
  /// Whether in any schedule some work left the simulation.
  private var hasEscaped = false
  private var blockedCount = 0
  /// How many runs may be used to simplify the violation, and how many to find a schedule that passes.
  private var attemptLimit = 0

  init(_ exploration: Exploration) {
    self.exploration = exploration
    strategy = exploration.search
  }

  mutating func interrupt() { end(.interrupted) }

  /// Ends the search, and skips the rest.
  mutating func end(_ ending: ExplorationReport.Ending) {
    if case .finished = phase { return }
    report.ending = ending
    phase = .finished
  }

  var triedCount: Int { report.schedules }

  var takesSeveral: Bool { if case .exploring = phase { strategy.isRandom } else { false } }

  // MARK: Planning

  /// The next trial. Several trials can be tried at the same time as long as schedules are explored.
  mutating func next() -> NextPlan<TrialRun.Plan> {
    if case .finished = phase { return .finished }
    if case .exploring = phase {
      switch nextSchedule() {
      case .plan(var plan):
        plan.number = plannedCount
        plannedCount += 1
        return .plan(plan)
      case .wait: return .wait
      case .finished: finishExploring()
      }
    }
    if isTrying { return .wait }
    guard let plan = nextOfViolation() else { return .finished }
    isTrying = true
    return .plan(plan)
  }

  private mutating func nextSchedule() -> NextPlan<TrialRun.Plan> {
    if !isStopped, plannedCount < exploration.schedules {
      let next = strategy.next()
      guard case .finished = next else { return next }
      report.ending = .exhausted
    }
    // The schedules that are being tried may violate the property, too.
    return learnedCount < plannedCount ? .wait : .finished
  }

  private mutating func finishExploring() {
    phase =
      report.violation.map {
        .shrinking(Shrinking($0.original), attemptsLeft: attemptLimit)
      } ?? .finished
  }

  /// The next trial that examines the violation; nil if all is done.
  private mutating func nextOfViolation() -> TrialRun.Plan? {
    while true {
      switch phase {
      case .exploring, .finished: return nil
      case .shrinking(let shrinking, let attemptsLeft):
        if attemptsLeft > 0, let schedule = shrinking.next() {
          return TrialRun.Plan(schedule, narrates: false)
        }
        report.violation?.schedule = shrinking.best
        phase = .narrating
      case .narrating:
        return report.violation.map { TrialRun.Plan($0.schedule, narrates: true) }
      case .findingPassingSchedule(let search, let narration):
        if let schedule = search.next() { return TrialRun.Plan(schedule, narrates: false) }
        let shared = search.shared(narration)
        report.violation?.sharedCount = shared?.count
        report.violation?.nextWhenShared = shared?.next
        phase = .finished
      }
    }
  }

  // MARK: Learning

  mutating func learn(_ outcome: TrialRun.Outcome) {
    isTrying = false
    if outcome.isInterrupted { return }
    switch phase {
    case .exploring: learnInOrder(outcome)
    case .shrinking(var shrinking, let attemptsLeft):
      shrinking.learn(violates(outcome))
      phase = .shrinking(shrinking, attemptsLeft: attemptsLeft - 1)
    case .narrating: finishNarrating(outcome)
    case .findingPassingSchedule(var search, let narration):
      search.learn(violates(outcome))
      phase = .findingPassingSchedule(search, narration)
    case .finished: break
    }
  }

  /// Learns from a schedule, once all schedules before it are known. So the report does not depend on how many are tried
  /// at a time.
  private mutating func learnInOrder(_ outcome: TrialRun.Outcome) {
    guard outcome.number == learnedCount else {
      early[outcome.number] = outcome
      return
    }
    learn(schedule: outcome)
    while !early.isEmpty, let next = early.removeValue(forKey: learnedCount) {
      learn(schedule: next)
    }
  }

  private mutating func learn(schedule outcome: TrialRun.Outcome) {
    learnedCount += 1
    if isStopped { return }
    blockedCount += outcome.blockedCount
    report.schedules += 1
    strategy.learn(outcome)
    tried.insert(outcome)
    report.distinct = tried.distinct
    if strategy.isRandom { report.chanceOfNew = tried.chanceOfNew }
    if outcome.hasEscaped { hasEscaped = true }
    noteEscapes(outcome)
    if let finding = outcome.finding { note(finding, in: outcome) }
    if blockedCount >= Self.blockedLimit, report.schedules < exploration.schedules {
      stop(.tooManyBlocked)
    }
    if isKnownToBeAll {
      stop(.exhausted)
      if strategy.isRandom { report.chanceOfNew = 0 }
    }
  }

  private mutating func stop(_ ending: ExplorationReport.Ending) {
    isStopped = true
    report.ending = ending
  }

  /// Whether all schedules have been tried, as far as that can be known.
  private var isKnownToBeAll: Bool {
    tried.areAll && tried.tries >= Self.proof && !exploration.isExact && !hasEscaped
      && !exploration.hasOwnRandomNumbers && exploration.injection == nil
  }

  private func violates(_ outcome: TrialRun.Outcome) -> Bool {
    outcome.finding?.property == report.violation?.finding.property
  }

  private mutating func note(_ finding: Finding, in outcome: TrialRun.Outcome) {
    report.violations += 1
    guard report.violation == nil else { return }
    attemptLimit = max(
      Self.attemptLimits.lowerBound,
      min(Self.attemptEvents / max(outcome.eventCount, 1), Self.attemptLimits.upperBound))
    let schedule = Schedule(
      workers: exploration.workers, choices: outcome.choices.schedule, injection: outcome.point)
    report.violation = Violation(finding, under: schedule)
  }

  private mutating func noteEscapes(_ outcome: TrialRun.Outcome) {
    for frames in outcome.awaitedOutside where escapes.insert(frames).inserted {
      guard let place = CodeLocation.firstWritten(among: frames)?.description else { continue }
      if !report.escapes.contains(place) { report.escapes.append(place) }
    }
  }

  private mutating func finishNarrating(_ outcome: TrialRun.Outcome) {
    report.violation?.moments = outcome.narration?.moments ?? []
    phase = .finished
    // If the violation does not occur again, some code escapes the runtime. Then the violation cannot be compared with
    // a schedule that passes.
    guard violates(outcome), let finding = outcome.finding else { return }
    report.violation?.isReproducible = true
    report.violation?.finding = finding
    guard let schedule = report.violation?.schedule, let narration = outcome.narration else {
      return
    }
    let search = PassingScheduleSearch(
      from: schedule, drawn: outcome.choices.drawn.map(Int.init),
      counts: outcome.choices.counts.map(Int.init), attempts: attemptLimit)
    phase = .findingPassingSchedule(search, narration)
  }
}
