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
      for (name, before, after) in first.matched(with: second) {
        if before.isEmpty || after.isEmpty {
          console.say("“\(name)” is only in \(before.isEmpty ? candidate : baseline)")
          if (before + after).contains(where: { $0.record.clock == .virtual }) {
            status.add(.violated)
          }
        } else {
          try compare(name, (baseline, before), (candidate, after))
        }
      }
    } catch {
      fail(error)
    }
  }

  private func compare(
    _ name: String, _ before: (file: String, runs: [SavedRun]), _ after: (file: String, runs: [SavedRun])
  ) throws {
    let clocks = Set((before.runs + after.runs).map(\.record.clock))
    guard let clock = clocks.first, clocks.count == 1 else {
      throw CommandError("“\(name)” went by the live clock in one file and by the virtual one in the other")
    }
    var comparison = Comparison(
      [
        Sample(before.file, before.runs.map(\.record.makespan)),
        Sample(after.file, after.runs.map(\.record.makespan)),
      ], clock: clock, threshold: settings.threshold)
    comparison.subject = name
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
}
