extension Comparison {
  /// The runs of one row.
  public struct Side: Sendable {
    public var name: String
    public var runs: [RunRecord]
    /// The number of workers in the pool, if known.
    public var workers: Int?

    public init(_ name: String, _ runs: [RunRecord], workers: Int? = nil) {
      self.name = name
      self.runs = runs
      self.workers = workers
    }
  }

  /// A step of the baseline, and the step that matches it in another row.
  public struct StepRow: Sendable, Hashable {
    /// The path of the step in the baseline.
    public var path: String
    /// The path in the other row; nil if it is the same.
    public var otherPath: String?
    /// The number of this start of the step, from 1.
    public var start: Int
    /// The name of the row that is compared with the baseline.
    public var name: String
    /// When the step started, since the start of the run.
    public var started: Measure
    public var duration: Measure
    /// The time from submission by the step's pattern to the start of the step.
    public var wait: Measure
  }

  /// Two medians in nanoseconds. Each is nil if no run has a value.
  public struct Measure: Sendable, Hashable {
    public var baseline: Double?
    public var candidate: Double?
    /// After Holm's correction, which counts all measurements of the steps of all rows. Nil on the virtual clock.
    public var p: Double?
    /// *faster* means less, *slower* more.
    public var verdict: Verdict

    var change: Double {
      switch (baseline, candidate) {
      case (let baseline?, let candidate?): abs(candidate - baseline)
      case (nil, nil): 0
      case (let value?, nil), (nil, let value?): value
      }
    }
  }

  /// A step without a match.
  public struct Unmatched: Sendable, Hashable {
    public var path: String
    /// The number of this start of the step, from 1.
    public var start: Int
    /// The row that has the step. `missingIn` is the row that lacks it.
    public var side: String
    public var missingIn: String
  }

  /// The first place where a row differs from the baseline.
  public struct NamedDivergence: Sendable, Hashable {
    public var name: String
    public var divergence: Divergence
  }

  /// The maximum number of changed steps that are kept for each row. Those with the largest changes are kept.
  public static let mostSteps = 100
  /// The maximum number of unmatched steps that are kept for each row.
  public static let mostUnmatched = 1000

  /// Compares the makespans of runs, their steps by label path, and their costs.
  ///
  /// On the live clock, the duration of a step is judged like a makespan. Its start and its wait are judged by their
  /// effect on the run. They differ if they moved by more than the threshold's share of the baseline's makespan. Holm's
  /// correction counts all measurements of the steps of all rows. The makespans have a correction of their own, which
  /// counts the rows. A run with many steps can therefore still get a verdict.
  ///
  /// An incomplete run (see `RunRecord.isIncomplete`) has no valid measurements: it is left out, and a warning says so. On
  /// the virtual clock, an incomplete run is itself a difference, so the row gets no verdict about speed.
  ///
  /// - Parameter all: the first one is the baseline.
  /// - Complexity: O(n log n) in the number of steps of all runs.
  public init(of all: [Side], clock: ClockKind, threshold: Double = 0.05) {
    let sides = all.map(\.whole)
    self.init(
      sides.map { Sample($0.name, $0.runs.map(\.makespan)) }, clock: clock, threshold: threshold)
    typical = zip(rows, sides).map { row, side in
      side.runs.min { row.distance(of: $0) < row.distance(of: $1) }
    }
    for (index, side) in sides.enumerated() { rows[index].failures = side.failures }
    costs = zip(sides, typical).compactMap { side, run in run.map { Cost(side.name, $0) } }
    warnings = warnings(sides)
    leaveOutIncomplete(all)
    guard let baseline = sides.first else { return }
    let steps = ComparedSteps(baseline.runs)
    var tests: [StepTest] = []
    var measured: [(matching: StepMatching, tests: Range<Int>, name: String)] = []
    for (side, original) in zip(sides, all).dropFirst() {
      let others = ComparedSteps(side.runs)
      let matching = StepMatching(steps, others)
      let start = tests.count
      measure(matching, steps, others, into: &tests)
      measured.append((matching, start..<tests.count, side.name))
      if clock == .virtual,
        let divergence = zip(all[0].runs, original.runs).lazy.compactMap({
          Divergence(between: $0, and: $1)
        }).first
      {
        divergences.append(NamedDivergence(name: side.name, divergence: divergence))
      }
      // All runs of one side are incomplete: they may lack steps that would have followed.
      if baseline.isLost(from: all[0]) || side.isLost(from: original) { continue }
      let missing =
        matching.onlyFirst.map { ($0, baseline.name, side.name) }
        + matching.onlySecond.map { ($0, side.name, baseline.name) }
      unmatched += missing.prefix(Self.mostUnmatched).map { key, name, other in
        Unmatched(path: key.path, start: key.start + 1, side: name, missingIn: other)
      }
    }
    StepTest.correct(&tests)
    for row in measured { addSteps(row.matching, tests[row.tests], of: row.name) }
  }

  /// Adds three tests for each pair of steps.
  private func measure(
    _ matching: StepMatching, _ first: ComparedSteps, _ second: ComparedSteps,
    into tests: inout [StepTest]
  ) {
    let makespan = Int64(nearest: rows[0].median ?? 0)
    tests.reserveCapacity(tests.count + 3 * matching.pairs.count)
    for (index, pair) in matching.pairs.enumerated() {
      guard let one = first.times[pair.first], let other = second.times[pair.second] else {
        continue
      }
      let measures: [(StepTest.Kind, [Int64], [Int64])] = [
        (.started, one.started, other.started), (.duration, one.duration, other.duration),
        (.wait, one.wait, other.wait),
      ]
      for (kind, before, after) in measures {
        tests.append(
          StepTest(
            pair: index, kind: kind, before: OrderedValues(before), after: OrderedValues(after),
            clock: clock, shift: kind == .duration ? 0 : makespan))
      }
    }
  }

  private mutating func addSteps(
    _ matching: StepMatching, _ tests: ArraySlice<StepTest>, of name: String
  ) {
    let changed = stride(from: tests.startIndex, to: tests.endIndex, by: 3).filter { index in
      tests[index..<(index + 3)].contains { $0.hasChanged }
    }.sorted { one, other in
      let (left, right) = (
        StepTest.weight(tests[one..<(one + 3)]), StepTest.weight(tests[other..<(other + 3)])
      )
      return left == right ? one < other : left > right
    }
    for index in changed.prefix(Self.mostSteps) {
      let pair = matching.pairs[tests[index].pair]
      func measure(_ test: StepTest) -> Measure { test.measure(threshold) }
      steps.append(
        StepRow(
          path: pair.first.path,
          otherPath: pair.first.path == pair.second.path ? nil : pair.second.path,
          start: pair.first.start + 1, name: name, started: measure(tests[index]),
          duration: measure(tests[index + 1]), wait: measure(tests[index + 2])))
    }
  }

  /// The reasons, as far as the runs show them, why the runs may not be comparable.
  private func warnings(_ sides: [Side]) -> [String] {
    var warnings: [String] = []
    guard let baseline = sides.first else { return [] }
    if Set(sides.flatMap(\.runs).map(\.clock)).count > 1 {
      warnings.append("some of the runs used the live clock and some the virtual clock")
    }
    for side in sides.dropFirst() {
      if let one = baseline.workers, let other = side.workers, one != other {
        warnings.append("\(baseline.name) ran on \(one) workers and \(side.name) on \(other)")
      }
      let (seeds, others) = (Set(baseline.runs.map(\.seed)), Set(side.runs.map(\.seed)))
      if (baseline.runs + side.runs).allSatisfy({ $0.clock == .virtual }), seeds != others,
        let one = seeds.min(), let other = others.min()
      {
        warnings.append("\(baseline.name) ran with seed \(one) and \(side.name) with \(other)")
      }
    }
    for (side, row) in zip(sides, rows) {
      let failures = row.failures
      if !failures.isEmpty {
        let errors = failures.prefix(3).map { "“\($0.error)” (\($0.runs))" }
        let more = failures.count - errors.count
        warnings.append(
          "\(row.failedRuns) of \(side.runs.count) runs of \(side.name) failed: "
            + errors.joined(separator: ", ")
            + (more > 0 ? " and \(more) more \(more == 1 ? "error" : "errors")" : ""))
      }
      let wrong = side.runs.filter { ![.success, .failure].contains($0.outcome) }
      if let first = wrong.first {
        warnings.append(
          "\(wrong.count) of \(side.runs.count) runs of \(side.name) ended as "
            + "\(first.outcome.rawValue): their times mean little")
      }
      if side.runs.contains(where: { $0.dropped > 0 }) {
        warnings.append("events of \(side.name) were dropped, so the comparison is incomplete")
      }
    }
    return warnings
  }
}

extension Comparison.Side {
  /// How its runs failed, the most frequent error first.
  fileprivate var failures: [Comparison.Failure] {
    let failed = runs.filter { $0.outcome == .failure }
    let counts = Dictionary(grouping: failed) { $0.error ?? "unknown error" }.mapValues(\.count)
    return counts.map { .init(error: $0, runs: $1) }
      .sorted { (-$0.runs, $0.error) < (-$1.runs, $1.error) }
  }
}

extension Comparison.Row {
  /// The distance of a run's makespan from the median.
  fileprivate func distance(of run: RunRecord) -> Double {
    abs(Double(run.makespan) - (median ?? 0))
  }
}
