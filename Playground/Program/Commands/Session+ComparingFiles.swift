import AsyncPatterns
import TimingTrace

extension Session {
  /// `playground compare A B`: runs of the same name in two files, the first being the baseline.
  func compareFiles(_ baseline: String, _ candidate: String) {
    do {
      let first = try SavedRuns.read(FilePath.resolve(baseline))
      let second = try SavedRuns.read(FilePath.resolve(candidate))
      if first.machine != second.machine {
        console.complain("note: the two were made on different machines or by different builds")
      }
      for pair in Self.pairs(first, second) {
        if pair.before.isEmpty || pair.after.isEmpty {
          console.say("“\(pair.name)” is only in \(pair.before.isEmpty ? candidate : baseline)")
          if (pair.before + pair.after).contains(where: { $0.record.clock == .virtual }) {
            status.add(.violated)
          }
        } else {
          try compare(pair.name, (baseline, pair.before), (candidate, pair.after))
        }
      }
    } catch {
      fail(error)
    }
  }

  private typealias Pair = (name: String, before: [SavedRun], after: [SavedRun])

  /// The runs by name. Names that only one file has, and that change with every edit of what is written
  /// in place, are paired in order, as long as they are runs of the same pattern.
  private static func pairs(_ first: SavedRuns, _ second: SavedRuns) -> [Pair] {
    let matched = first.matched(with: second).map { Pair($0.name, $0.first, $0.second) }
    var added = matched.filter { $0.before.isEmpty }
    var pairs: [Pair] = []
    for var pair in matched where !pair.before.isEmpty {
      let pattern = pair.before[0].record.pattern
      if pair.after.isEmpty,
        let index = added.firstIndex(where: { $0.after[0].record.pattern == pattern })
      {
        let partner = added.remove(at: index)
        pair = ("\(pair.name) → \(partner.name)", pair.before, partner.after)
      }
      pairs.append(pair)
    }
    return pairs + added
  }

  private func compare(
    _ name: String, _ before: (file: String, runs: [SavedRun]),
    _ after: (file: String, runs: [SavedRun])
  ) throws {
    let clocks = Set((before.runs + after.runs).map(\.record.clock))
    guard let clock = clocks.first, clocks.count == 1 else {
      throw CommandError(
        "“\(name)” went by the live clock in one file and by the virtual one in the other")
    }
    var comparison = Comparison(
      [
        Sample(before.file, before.runs.map(\.record.makespan)),
        Sample(after.file, after.runs.map(\.record.makespan)),
      ], clock: clock, threshold: settings.threshold)
    comparison.subject = name
    note(comparison, of: [before, after])
    console.record(comparison.json)
    console.say("\(name)\n" + comparison.table(style))
    if clock == .virtual {
      for (first, second) in zip(before.runs, after.runs) {
        guard let place = StructuralDifference.first(between: first.record, and: second.record)
        else { continue }
        console.say("  first difference: \(place)")
        status.add(.violated)
        break
      }
    } else if comparison.rows.last?.verdict == .slower {
      status.add(.violated)
    }
  }

  /// Keeps what was compared for a report, the runs with the name of their file.
  private func note(_ comparison: Comparison, of sides: [(file: String, runs: [SavedRun])]) {
    comparisons.append(comparison)
    for (file, runs) in sides {
      comparedRuns += runs.map { run in
        var run = run
        run.name = "\(run.name) (\(file))"
        return run
      }
    }
  }
}
