/// Chooses the next schedule to try, and learns from its outcome.
protocol SearchStrategy {
  /// The next schedule to try; nil if there is no other.
  mutating func next() -> TrialRun.Plan?
  mutating func learn(_ outcome: TrialRun.Outcome)
}

/// Schedules whose choices come from a seed each: `random` and `pct`.
///
/// It ends early if the first schedules show that there is nothing to choose.
struct RandomSearch: SearchStrategy {
  /// How many schedules without a choice and without a violation show that there is nothing to choose. One is not
  /// enough: code that escapes the runtime may show a choice only in the second schedule.
  private static let proof = 10

  private let depth: Int?
  private let injection: Injection?
  private var generator: SplitMix64
  private var isFirst = true
  /// The largest number of choices so far.
  private var length = 1
  /// The largest number of places for an injection so far.
  private var placeCount = 1
  /// How many schedules have been tried, if none had a choice; otherwise nil.
  private var choicelessCount: Int? = 0

  /// - Parameters:
  ///   - depth: the depth of `pct`; nil for `random`.
  ///   - injection: what to inject, at a random place.
  init(depth: Int?, injection: Injection?, seed: UInt64) {
    self.depth = depth
    self.injection = injection
    generator = SplitMix64(state: seed)
  }

  mutating func next() -> TrialRun.Plan? {
    if let choicelessCount, choicelessCount >= Self.proof { return nil }
    // The first schedule shows how long the schedules are, and what fails in any order.
    if isFirst {
      isFirst = false
      return TrialRun.Plan(choices: Choices(.firstInFirstOut, keepsCounts: true))
    }
    let own = SplitMix64(state: generator.next())
    let source =
      depth.map { Choices.Source.priorities(ChainPriorities(own, depth: $0, length: length)) }
      ?? .random(own)
    let point = injection.map { Injection.Point($0, at: generator.next(below: placeCount)) }
    return TrialRun.Plan(choices: Choices(source), point: point)
  }

  mutating func learn(_ outcome: TrialRun.Outcome) {
    if let count = choicelessCount {
      // The place of an injection is a choice, too.
      let isChoiceless =
        injection == nil && outcome.choices.drawn.isEmpty && outcome.finding == nil
      choicelessCount = isChoiceless ? count + 1 : nil
    }
    length = max(length, outcome.choices.drawn.count)
    placeCount = max(
      placeCount, injection == .cancel ? outcome.eventCount + 1 : outcome.startCount)
  }
}

/// All schedules, one after another. Each differs from the one before in the last choice that has another candidate
/// left.
struct DepthFirstSearch: SearchStrategy {
  private let deviations: Int
  private let injection: Injection?
  /// Nil when there is no other schedule.
  private var prefix: [UInt32]? = []
  private var place = 0
  private var isPlaceReached = false

  init(deviations: Int?, injection: Injection?) {
    self.deviations = deviations ?? .max
    self.injection = injection
  }

  mutating func next() -> TrialRun.Plan? {
    guard let prefix else { return nil }
    return TrialRun.Plan(
      choices: Choices(.firstInFirstOut, replaying: prefix, keepsCounts: true),
      point: injection.map { Injection.Point($0, at: place) })
  }

  mutating func learn(_ outcome: TrialRun.Outcome) {
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
