import AsyncPatterns
import SwiftTasks

/// The progress of an exploration. First it tries schedules. Then it simplifies the first schedule that violated the
/// property, narrates it, and compares it with schedules that pass.
struct SearchProgress: TrialPlanner {
  /// How many blocked threads may be abandoned before the remaining schedules are skipped.
  private static let blockedLimit = 10_000
  /// How many runs may be used to simplify a schedule, and how many to find one that passes. Longer schedules get fewer
  /// runs.
  private static let attemptLimits = 20...1_000
  /// How many events each of these may use, if that allows at least the minimum number of runs.
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
  private var seen = SeenSchedules()
  private var escapes: Set<[CodeAddress]> = []
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

  // MARK: Planning

  /// The next trial; nil if all is done.
  mutating func next() -> TrialRun.Plan? {
    while true {
      switch phase {
      case .exploring:
        if let plan = nextSchedule() { return plan }
        guard let violation = report.violation else { return nil }
        phase = .shrinking(
          Shrinking(violation.original), attemptsLeft: attemptLimit)
      case .shrinking(let shrinking, let attemptsLeft):
        if attemptsLeft > 0, let schedule = shrinking.next() {
          return TrialRun.Plan(schedule, narrates: false)
        }
        report.violation?.schedule = shrinking.best
        phase = .narrating
      case .narrating:
        guard let schedule = report.violation?.schedule else { return nil }
        return TrialRun.Plan(schedule, narrates: true)
      case .findingPassingSchedule(let search, let narration):
        if let schedule = search.next() { return TrialRun.Plan(schedule, narrates: false) }
        let shared = search.shared(narration)
        report.violation?.sharedCount = shared?.count
        report.violation?.nextWhenShared = shared?.next
        return nil
      case .finished: return nil
      }
    }
  }

  private mutating func nextSchedule() -> TrialRun.Plan? {
    guard report.schedules < exploration.schedules else { return nil }
    guard blockedCount < Self.blockedLimit else {
      report.ending = .tooManyBlocked
      return nil
    }
    guard let plan = strategy.next() else {
      report.ending = .exhausted
      return nil
    }
    return plan
  }

  // MARK: Learning

  mutating func learn(_ outcome: TrialRun.Outcome) {
    blockedCount += outcome.blockedCount
    if outcome.isInterrupted { return }
    switch phase {
    case .exploring: tried(outcome)
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

  private func violates(_ outcome: TrialRun.Outcome) -> Bool {
    outcome.finding?.property == report.violation?.finding.property
  }

  private mutating func tried(_ outcome: TrialRun.Outcome) {
    report.schedules += 1
    strategy.learn(outcome)
    seen.insert(outcome)
    report.distinct = seen.count
    noteEscapes(outcome)
    guard let finding = outcome.finding else { return }
    report.violations += 1
    guard report.violation == nil else { return }
    attemptLimit = max(
      Self.attemptLimits.lowerBound,
      min(Self.attemptEvents / max(outcome.eventCount, 1), Self.attemptLimits.upperBound))
    let schedule = Schedule(
      workers: exploration.workers, choices: outcome.choices.schedule, injection: outcome.point)
    report.violation = Violation(
      finding: finding, schedule: schedule, original: schedule, moments: [])
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
    // A violation that does not occur again escapes the runtime, and cannot be compared with a schedule that passes.
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

/// The schedules that have been tried, each as a fingerprint.
///
/// It stores at most about a million different fingerprints, so that its memory stays bounded. After that, each unknown
/// schedule counts as different.
struct SeenSchedules {
  private static let limit = 1 << 20
  private var fingerprints: Set<UInt64> = []
  private var uncounted = 0

  var count: Int { fingerprints.count + uncounted }

  mutating func insert(_ outcome: TrialRun.Outcome) {
    var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
    func mix(_ value: UInt64) {
      fingerprint = (fingerprint ^ value) &* 0x9E37_79B9_7F4A_7C15
      fingerprint ^= fingerprint >> 29
    }
    for choice in outcome.choices.trimmed { mix(UInt64(choice)) }
    if let point = outcome.point { mix(UInt64(point.place) &+ 1 << 32) }
    if fingerprints.count < Self.limit {
      fingerprints.insert(fingerprint)
    } else if !fingerprints.contains(fingerprint) {
      uncounted += 1
    }
  }
}
