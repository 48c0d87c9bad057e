/// A test of one measurement of a step on two sides.
struct StepTest {
  enum Kind { case started, duration, wait }

  let pair: Int
  let kind: Kind
  let before: OrderedValues
  let after: OrderedValues
  let clock: ClockKind
  /// Added to both samples before the ratio is taken, so that a change is judged relative to the run.
  let shift: Int64
  private(set) var uncorrectedP: Double?
  private(set) var p: Double?

  /// The number of resampling rounds. It is low because a run can have many steps.
  private static let rounds = 1000

  init(
    pair: Int, kind: Kind, before: OrderedValues, after: OrderedValues, clock: ClockKind,
    shift: Int64
  ) {
    self.pair = pair
    self.kind = kind
    self.before = before
    self.after = after
    self.clock = clock
    self.shift = shift
    if clock == .live, !before.values.isEmpty, !after.values.isEmpty {
      uncorrectedP = MannWhitney(after.values, before.values).p
    }
  }

  /// Applies Holm's correction to the p of all tests.
  static func correct(_ tests: inout [StepTest]) {
    let tested = tests.indices.filter { tests[$0].uncorrectedP != nil }
    let adjusted = holmAdjusted(tested.compactMap { tests[$0].uncorrectedP })
    for (index, p) in zip(tested, adjusted) { tests[index].p = p }
  }

  var hasChanged: Bool { before.values != after.values }

  private var change: Double {
    Comparison.Measure(
      baseline: before.median, candidate: after.median, verdict: .inconclusive
    ).change
  }

  /// The size of a step's change. Its duration counts most. Its start counts least, because other steps may have moved
  /// it.
  static func weight(_ tests: ArraySlice<StepTest>) -> Double {
    tests.reduce(0) { sum, test in
      switch test.kind {
      case .duration: sum + test.change
      case .wait: sum + test.change / 2
      case .started: sum + test.change / 1e6
      }
    }
  }

  func measure(_ threshold: Double) -> Comparison.Measure {
    Comparison.Measure(
      baseline: before.median, candidate: after.median, p: p, verdict: verdict(threshold))
  }

  private func verdict(_ threshold: Double) -> Comparison.Verdict {
    guard !before.values.isEmpty, !after.values.isEmpty else {
      return hasChanged ? .inconclusive : .same
    }
    if clock == .virtual { return Comparison.Verdict(exactly: after, against: before) }
    let fewest = Comparison.fewestRuns
    guard before.values.count >= fewest, after.values.count >= fewest, let p,
      let interval = bootstrapRatio(
        of: after.shifted(by: shift), to: before.shifted(by: shift), seed: 0, atMost: Self.rounds)
    else { return .inconclusive }
    return Comparison.Verdict(interval, p: p, threshold: threshold)
  }
}
