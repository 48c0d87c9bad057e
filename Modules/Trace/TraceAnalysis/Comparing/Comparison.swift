/// Compares the measured times of several samples. The first sample is the baseline.
///
/// On the live clock the verdict is statistical. The result is *inconclusive* where the runs do not support a verdict:
///
/// - *slower* needs p < 0.05, and the whole interval of the ratio above the threshold. *faster* needs the same on the
///   other side;
/// - *same* needs the whole interval inside the threshold;
/// - everything else is *inconclusive*, and so is any sample with fewer than six runs.
///
/// p comes from the two-sided Mann-Whitney U test, with Holm's correction for the number of rows. On the virtual clock
/// the verdict is exact: *same* means equal, and any difference counts.
///
/// The caller must leave out warm-up runs. The order of the measurements matters too: interleave the samples.
public struct Comparison: Sendable, Hashable {
  public var metric: String
  /// The subject of the comparison, if the rows do not show it: the run that two files have in common.
  public var subject: String?
  public var clock: ClockKind
  /// How far a ratio must differ from one to matter. 0.05 is five per cent.
  public var threshold: Double
  /// One for each sample, in the same order.
  public var rows: [Row]
  /// The steps of the other rows that changed against the baseline, those with the largest change first.
  public var steps: [StepRow] = []
  /// The steps without a match on the other side.
  public var unmatched: [Unmatched] = []
  /// The costs of the run in `typical`, for each row that has one. Empty if only times are known.
  public var costs: [Cost] = []
  /// Where each row first differs from the baseline, on the virtual clock only. Rows that do not differ have no entry.
  public var divergences: [NamedDivergence] = []
  /// For each row, the run whose makespan is nearest to the median. It represents the row in detailed views. Empty if
  /// only times are known.
  public var typical: [RunRecord?] = []
  /// The reasons why the runs may not be comparable, in whole sentences: another machine, build or number of workers.
  public var warnings: [String] = []

  public struct Row: Sendable, Hashable {
    public var name: String
    public var runs: Int
    /// The number of further runs that are incomplete and left out.
    public var runsLeftOut = 0
    /// How its runs failed, the most frequent error first. The times of failed runs count like those of the others.
    public var failures: [Failure] = []
    /// The number of its runs that failed.
    public var failedRuns: Int { failures.reduce(0) { $0 + $1.runs } }
    /// The measured values, one for each run, in nanoseconds.
    public var values: [Int64]
    /// In nanoseconds, like its interval. Nil without runs.
    public var median: Double?
    /// The 95 % confidence interval of the median. It is nil with fewer than six runs. The exception is the virtual
    /// clock, where nothing is random: if all values are equal, the interval is that value.
    public var interval: ClosedRange<Double>?
    /// The ratio of the median to the baseline's. Nil if either of them has no runs.
    public var ratio: Double?
    public var ratioInterval: ClosedRange<Double>?
    /// After Holm's correction. Nil for the baseline, on the virtual clock and without runs.
    public var p: Double?
    /// Before Holm's correction.
    public var uncorrectedP: Double?
    public var verdict: Verdict
    /// Why there is no verdict, if there is none.
    public var note: String?
    /// The box plot of the values, on the live clock. Nil without runs.
    public var box: Box?
  }

  /// An error, and how many runs of a row failed with it.
  public struct Failure: Sendable, Hashable {
    public var error: String
    public var runs: Int
  }

  public enum Verdict: String, Sendable, Hashable, CaseIterable {
    case baseline, faster, slower, same, inconclusive
  }

  /// The smallest number of runs for which a 95 % confidence interval exists.
  public static let fewestRuns = 6

  /// - Parameters:
  ///   - samples: the first one is the baseline.
  ///   - seed: the seed of the resampling. The same measurements and seed always yield the same interval.
  /// - Complexity: O(n log n) in the number of values, and about 20 ms for each row.
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
        "\(few.name == rows[index].name ? "it" : few.name) has \(few.runs) \(few.runs == 1 ? "run" : "runs"), and a verdict needs at least "
        + "\(fewest) on each side: use “runs \(fewest)” or --runs \(fewest)"
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
  /// The verdict for two samples on the virtual clock. The medians are compared first, then the means: different
  /// schedules can have equal medians.
  init(exactly values: OrderedValues, against baseline: OrderedValues) {
    let (one, other) = ((values.median ?? 0, values.mean), (baseline.median ?? 0, baseline.mean))
    self = one == other ? .same : one < other ? .faster : .slower
  }

  /// The verdict for the interval of a ratio and a corrected p.
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
