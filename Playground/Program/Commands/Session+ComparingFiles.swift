import AsyncPatterns
import TimingTrace

extension Session {
  /// `playground compare A B`: runs of the same name in two files, the first being the baseline.
  func compareFiles(_ baseline: String, _ candidate: String) {
    do {
      let first = try SavedRuns.read(FilePath.resolve(baseline))
      let second = try SavedRuns.read(FilePath.resolve(candidate))
      for (file, runs) in [(baseline, first), (candidate, second)] where runs.isTruncated {
        console.complain("“\(file)” ends in the middle of a run, left out here")
      }
      let machines = second.machine.differences(from: first.machine)
      let warnings =
        machines.isEmpty
        ? []
        : [
          "the two were made on different machines or by different builds, whose times do not compare: "
            + "\(candidate) on \(machines.joined(separator: ", "))"
        ]
      for warning in warnings { console.complain("warning: \(warning)") }
      for pair in Self.pairs(first, second) {
        if pair.before.isEmpty || pair.after.isEmpty {
          var comparison = Comparison(
            of: [Self.side(baseline, pair.before), Self.side(candidate, pair.after)],
            clock: (pair.before + pair.after)[0].record.clock, threshold: settings.threshold)
          comparison.subject = pair.name
          console.record(comparison.json)
          console.say("“\(pair.name)” is only in \(pair.before.isEmpty ? candidate : baseline)")
          if (pair.before + pair.after).contains(where: { $0.record.clock == .virtual }) {
            status.add(.violated)
          }
        } else {
          try compare(pair.name, (baseline, pair.before), (candidate, pair.after), warnings)
        }
      }
    } catch {
      fail(error)
    }
  }

  private typealias Pair = (name: String, before: [SavedRun], after: [SavedRun])

  /// The runs by name. Names that only one file has, and that change with every edit of what is written
  /// in place, are paired in order, as long as they are runs of the same pattern; and then those whose
  /// steps have the most label paths in common.
  private static func pairs(_ first: SavedRuns, _ second: SavedRuns) -> [Pair] {
    let matched = first.matched(with: second).map { Pair($0.name, $0.first, $0.second) }
    var added = matched.filter { $0.before.isEmpty }
    var pairs = matched.filter { !$0.before.isEmpty }
    func pair(_ index: Int, with partner: Int) {
      let partner = added.remove(at: partner)
      pairs[index].name += " → \(partner.name)"
      pairs[index].after = partner.after
    }
    for index in pairs.indices where pairs[index].after.isEmpty {
      let pattern = pairs[index].before[0].record.pattern
      if let partner = added.firstIndex(where: { $0.after[0].record.pattern == pattern }) {
        pair(index, with: partner)
      }
    }
    for index in pairs.indices where pairs[index].after.isEmpty {
      let before = pairs[index].before[0].record
      let common = added.map { before.pathsInCommon(with: $0.after[0].record) }
      if let most = common.max(), most > 0, let partner = common.firstIndex(of: most) {
        pair(index, with: partner)
      }
    }
    return pairs + added
  }

  private func compare(
    _ name: String, _ before: (file: String, runs: [SavedRun]),
    _ after: (file: String, runs: [SavedRun]), _ warnings: [String]
  ) throws {
    let clocks = Set((before.runs + after.runs).map(\.record.clock))
    guard let clock = clocks.first, clocks.count == 1 else {
      throw CommandError(
        "“\(name)” went by the live clock in one file and by the virtual one in the other")
    }
    var comparison = Comparison(
      of: [Self.side(before.file, before.runs), Self.side(after.file, after.runs)], clock: clock,
      threshold: settings.threshold)
    let own = comparison.warnings
    comparison.warnings = warnings + own
    comparison.subject = name
    note(comparison, of: [before, after])
    console.record(comparison.json)
    console.say("\(name)\n" + comparison.table(style))
    // Those of the files have been told.
    comparison.warnings = own
    tellMore(of: comparison)
    let isViolated =
      clock == .virtual
      ? !comparison.divergences.isEmpty || comparison.rows.last?.verdict != .same
      : comparison.rows.last?.verdict == .slower
    if isViolated { status.add(.violated) }
  }

  private static func side(_ file: String, _ runs: [SavedRun]) -> Comparison.Side {
    let workers = Set(runs.map(\.workers))
    return .init(
      file, runs.map(\.record), workers: workers.count == 1 ? workers.first ?? nil : nil)
  }

  /// Keeps what was compared for a report, the runs with the name of their file.
  private func note(_ comparison: Comparison, of sides: [(file: String, runs: [SavedRun])]) {
    log.add(comparison)
    for (file, runs) in sides {
      log.add(
        compared: runs.map { run in
          var run = run
          run.name = "\(run.name) (\(file))"
          return run
        })
    }
  }
}
