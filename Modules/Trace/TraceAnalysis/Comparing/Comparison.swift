/// Whether things that ran several times each differ in time, the first of them being the baseline.
///
/// On the live clock the verdict is statistical, and refused where the runs do not bear one:
///
/// - *slower* needs p < 0.05 and the whole interval of the ratio above the threshold, *faster* the same
///   on the other side;
/// - *same* needs the whole interval inside the threshold;
/// - everything else is *inconclusive*, and so is whatever ran fewer than six times.
///
/// p is that of the two-sided Mann-Whitney U test, by Holm's correction for the number of rows. On the
/// virtual clock the verdict is exact: *same* means equal, and any difference is one.
///
/// Warm-up runs are for the caller to leave out. The order of measuring matters too: interleave.
public struct Comparison: Sendable, Hashable {
  public var metric: String
  /// What was compared, where the rows are not what tells: the run that two files have in common.
  public var subject: String?
  public var clock: ClockKind
  /// By how much a ratio must differ from one to matter: 0.05 is five per cent.
  public var threshold: Double
  /// One for each sample, in their order.
  public var rows: [Row]
  /// The steps of the other rows that changed against the baseline's, those that changed most first.
  public var steps: [StepRow] = []
  /// The steps that have no partner on the other side.
  public var unmatched: [Unmatched] = []
  /// What the runs cost beside time, of each row the one in `typical`; empty where only times are known.
  public var costs: [Cost] = []
  /// On the virtual clock, where each of the rows first does something else than the baseline, if it does.
  public var divergences: [NamedDivergence] = []
  /// Of each row the run whose makespan lies nearest to the median, to be looked at for all of them; empty where only
  /// times are known.
  public var typical: [RunRecord?] = []
  /// Why the runs may not bear comparing, in whole sentences: another machine, build, number of workers.
  public var warnings: [String] = []

  public struct Row: Sendable, Hashable {
    public var name: String
    public var runs: Int
    /// How many more there are that were cut off and count for nothing.
    public var runsLeftOut = 0
    /// What was measured, run by run, in nanoseconds.
    public var values: [Int64]
    /// In nanoseconds, like its interval; nil without runs.
    public var median: Double?
    /// Where the median lies with 95 %; nil with fewer than six runs, unless they are equal on the virtual clock,
    /// where nothing is left to chance.
    public var interval: ClosedRange<Double>?
    /// The median's ratio to the baseline's; nil if one of them has no runs.
    public var ratio: Double?
    public var ratioInterval: ClosedRange<Double>?
    /// After Holm's correction; nil for the baseline, on the virtual clock and without runs.
    public var p: Double?
    /// Before it.
    public var uncorrectedP: Double?
    public var verdict: Verdict
    /// Why there is no verdict, where there is none.
    public var note: String?
    /// How the values lie, on the live clock; nil without runs.
    public var box: Box?
  }

  public enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
    case baseline, faster, slower, same, inconclusive
  }

  /// The fewest runs for which an interval of 95 % exists.
  public static let fewestRuns = 6

  /// - Parameters:
  ///   - samples: the first one is the baseline.
  ///   - seed: of the resampling, so that the same measurements always yield the same interval.
  /// - Complexity: O(n log n) in the number of values, and about 20 ms a row.
  public init(
    _ samples: [Sample], clock: ClockKind, threshold: Double = 0.05, metric: String = "makespan",
    seed: UInt64 = 0
  ) {
    self.metric = metric
    self.clock = clock
    self.threshold = threshold
    let ordered = samples.map { OrderedValues($0.values) }
    rows = zip(samples, ordered).map { sample, values in
      Row(
        name: sample.name, runs: sample.values.count, values: sample.values,
        median: values.median,
        interval: values.medianInterval ?? (clock == .virtual ? values.constant : nil),
        verdict: .inconclusive)
    }
    guard let baseline = ordered.first else { return }
    rows[0].ratio = 1
    rows[0].ratioInterval = 1...1
    rows[0].verdict = .baseline
    if rows[0].runs == 0 { rows[0].note = "it has no runs" }
    switch clock {
    case .virtual:
      for index in rows.indices.dropFirst() { judgeExactly(index, ordered[index], baseline) }
    case .live:
      for index in rows.indices { rows[index].box = Box(ordered[index]) }
      for index in rows.indices.dropFirst() { measure(index, ordered[index], baseline, seed) }
      let tested = rows.indices.filter { rows[$0].uncorrectedP != nil }
      let adjusted = holmAdjusted(tested.compactMap { rows[$0].uncorrectedP })
      for (index, p) in zip(tested, adjusted) { rows[index].p = p }
      for index in rows.indices.dropFirst() { judge(index) }
    }
  }

  private mutating func judgeExactly(
    _ index: Int, _ values: OrderedValues, _ baseline: OrderedValues
  ) {
    guard let median = values.median, let base = baseline.median else {
      rows[index].note = "there are no runs to compare"
      return
    }
    let ratio = quotient(median, base)
    rows[index].ratio = ratio
    rows[index].ratioInterval = ratio...ratio
    rows[index].verdict = Verdict(exactly: values, against: baseline)
  }

  private mutating func measure(
    _ index: Int, _ values: OrderedValues, _ baseline: OrderedValues, _ seed: UInt64
  ) {
    guard let median = values.median, let base = baseline.median else { return }
    rows[index].ratio = quotient(median, base)
    rows[index].ratioInterval = bootstrapRatio(of: values, to: baseline, seed: seed)
    rows[index].uncorrectedP = MannWhitney(values.values, baseline.values).p
  }

  private mutating func judge(_ index: Int) {
    let fewest = Comparison.fewestRuns
    guard let interval = rows[index].ratioInterval, let p = rows[index].p else {
      rows[index].note = "there are no runs to compare"
      return
    }
    guard rows[index].runs >= fewest, rows[0].runs >= fewest else {
      let few = rows[index].runs < fewest ? rows[index] : rows[0]
      rows[index].note =
        "\(few.name) has \(few.runs) \(few.runs == 1 ? "run" : "runs"), and a verdict needs at least "
        + "\(fewest) of each: use “runs \(fewest)” or more"
      return
    }
    rows[index].verdict = Verdict(interval, p: p, threshold: threshold)
    if rows[index].verdict == .inconclusive {
      let margin = (threshold * 100).jsonText
      rows[index].note =
        "the ratio may lie on either side of the threshold of \(margin) %: more runs may decide it"
    }
  }
}

extension Comparison.Verdict {
  /// What two samples come to on the virtual clock. Where schedules differ and medians do not, the means may.
  init(exactly values: OrderedValues, against baseline: OrderedValues) {
    let (one, other) = ((values.median ?? 0, values.mean), (baseline.median ?? 0, baseline.mean))
    self = one == other ? .same : one < other ? .faster : .slower
  }

  /// What an interval of the ratio and a corrected p come to.
  init(_ interval: ClosedRange<Double>, p: Double, threshold: Double) {
    if interval.lowerBound >= 1 - threshold, interval.upperBound <= 1 + threshold {
      self = .same
    } else if p < 0.05, interval.lowerBound > 1 + threshold {
      self = .slower
    } else if p < 0.05, interval.upperBound < 1 - threshold {
      self = .faster
    } else {
      self = .inconclusive
    }
  }
}
