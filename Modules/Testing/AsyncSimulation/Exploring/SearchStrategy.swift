/// Chooses the next schedule to try, and learns from its outcome.
protocol SearchStrategy: Sendable {
  /// Whether the schedules are random. Then several can be tried at a time.
  var isRandom: Bool { get }
  /// The next schedule to try. It depends only on the schedules before, and not on how many are tried at a time.
  mutating func next() -> NextPlan<TrialRun.Plan>
  /// Learns from an outcome. The outcomes come in the order of their schedules.
  mutating func learn(_ outcome: TrialRun.Outcome)
}

/// What a search does next.
package enum NextPlan<Plan> {
  case plan(Plan)
  /// It waits for the outcome of a plan that is being tried.
  case wait
  case finished
}

extension NextPlan: Sendable where Plan: Sendable {}

extension NextPlan {
  func map<Other>(_ transform: (Plan) -> Other) -> NextPlan<Other> {
    switch self {
    case .plan(let plan): .plan(transform(plan))
    case .wait: .wait
    case .finished: .finished
    }
  }
}

/// The schedules of `random` and `pct`. The choices of each schedule come from a seed of its own.
struct RandomSearch: SearchStrategy {
  /// How many schedules can be tried at a time. A plan uses only the results of the first schedule, and of those that
  /// come at least this many places earlier. So the plans do not depend on the number of threads.
  private static let lookahead = 64

  let isRandom = true
  private let depth: Int?
  private let injection: Injection?
  private var generator: SplitMix
  private var plannedCount = 0
  private var learnedCount = 0
  /// The lengths that the last outcomes have shown and no plan has used yet. The index of an outcome is its number
  /// modulo `lookahead`.
  private var recent = Array(repeating: Lengths(), count: lookahead)
  private var usedCount = 0
  private var longest = Lengths()

  /// - Parameters:
  ///   - depth: the depth of `pct`; nil for `random`.
  ///   - injection: what to inject, at a random place.
  init(depth: Int?, injection: Injection?, seed: UInt64) {
    self.depth = depth
    self.injection = injection
    generator = SplitMix(seed: seed)
  }

  mutating func next() -> NextPlan<TrialRun.Plan> {
    // The first schedule shows how long the schedules are, and what fails in any order.
    if plannedCount == 0 {
      plannedCount = 1
      return .plan(TrialRun.Plan(choices: Choices(.firstInFirstOut, keepsCounts: true)))
    }
    let needed = max(plannedCount - Self.lookahead + 1, 1)
    guard learnedCount >= needed else { return .wait }
    while usedCount < needed {
      longest.formMaximum(recent[usedCount % Self.lookahead])
      usedCount += 1
    }
    plannedCount += 1
    return .plan(randomPlan())
  }

  private mutating func randomPlan() -> TrialRun.Plan {
    let own = SplitMix(seed: generator.next())
    let source =
      depth.map {
        Choices.Source.priorities(ChainPriorities(own, depth: $0, length: longest.choices))
      } ?? .random(own)
    let point = injection.map { Injection.Point($0, at: generator.next(below: longest.places)) }
    var choices = Choices(source, keepsCounts: true)
    if longest.choices > 1 { choices.reserve(longest.choices) }
    return TrialRun.Plan(choices: choices, point: point)
  }

  mutating func learn(_ outcome: TrialRun.Outcome) {
    recent[learnedCount % Self.lookahead] = Lengths(
      choices: outcome.choices.drawn.count,
      places: injection == .cancel ? outcome.eventCount + 1 : outcome.startCount)
    learnedCount += 1
  }

  /// How many choices a schedule has, and how many places for an injection.
  private struct Lengths {
    var choices = 1
    var places = 1

    mutating func formMaximum(_ other: Lengths) {
      choices = max(choices, other.choices)
      places = max(places, other.places)
    }
  }
}

/// All schedules, one after another. Each differs from the one before in the last choice that has another candidate
/// left.
struct DepthFirstSearch: SearchStrategy {
  let isRandom = false
  private let deviations: Int
  private let injection: Injection?
  /// Nil when there is no other schedule.
  private var prefix: [UInt32]? = []
  private var place = 0
  private var isPlaceReached = false
  /// Whether the outcome of the last plan is still unknown.
  private var isTrying = false

  init(deviations: Int?, injection: Injection?) {
    self.deviations = deviations ?? .max
    self.injection = injection
  }

  mutating func next() -> NextPlan<TrialRun.Plan> {
    if isTrying { return .wait }
    guard let prefix else { return .finished }
    isTrying = true
    return .plan(
      TrialRun.Plan(
        choices: Choices(.firstInFirstOut, replaying: prefix, keepsCounts: true),
        point: injection.map { Injection.Point($0, at: place) }))
  }

  mutating func learn(_ outcome: TrialRun.Outcome) {
    isTrying = false
    let places = injection == .cancel ? outcome.eventCount + 1 : outcome.startCount
    if place < places { isPlaceReached = true }
    prefix = successor(of: outcome.choices.drawn, among: outcome.choices.counts)
    guard prefix == nil, injection != nil, isPlaceReached else { return }
    // All schedules with the injection at this place have been tried. The same follows with the injection one place
    // later.
    place += 1
    isPlaceReached = false
    prefix = []
  }

  private func successor(of drawn: [UInt32], among counts: [UInt32]) -> [UInt32]? {
    var deviationsBefore = drawn.count { $0 != 0 }
    for index in drawn.indices.reversed() {
      if drawn[index] != 0 { deviationsBefore -= 1 }
      if drawn[index] + 1 < counts[index], deviationsBefore < deviations {
        return drawn[..<index] + [drawn[index] + 1]
      }
    }
    return nil
  }
}

extension Exploration {
  var search: any SearchStrategy {
    switch strategy {
    case .random: RandomSearch(depth: nil, injection: injection, seed: seed)
    case .pct(let depth): RandomSearch(depth: depth, injection: injection, seed: seed)
    case .depthFirst(let deviations):
      DepthFirstSearch(deviations: deviations, injection: injection)
    }
  }
}
