extension Comparison.Side {
  /// The same side without its incomplete runs.
  var whole: Comparison.Side {
    var side = self
    side.runs.removeAll(where: \.isIncomplete)
    return side
  }

  /// Whether `side` had runs, and all of them are incomplete.
  func isLost(from side: Comparison.Side) -> Bool { runs.isEmpty && !side.runs.isEmpty }

  fileprivate var incompleteCount: Int { runs.count(where: \.isIncomplete) }
}

extension Comparison {
  /// Notes how many incomplete runs each row leaves out, and removes the verdicts that this makes invalid.
  mutating func leaveOutIncomplete(_ sides: [Side]) {
    for (index, side) in sides.enumerated() where side.incompleteCount > 0 {
      let count = side.incompleteCount
      rows[index].runsLeftOut = count
      warnings.append(
        "\(count) of \(side.runs.count) runs of \(side.name) did not finish, as far as recorded, "
          + "and \(count == 1 ? "is" : "are") left out")
      if clock == .virtual {
        rows[index].note =
          "\(count) of \(side.runs.count) runs did not finish: a difference, but not in speed"
      } else if rows[index].runs == 0 {
        rows[index].note = "none of its runs finished"
      }
    }
    guard clock == .virtual, let baseline = sides.first else { return }
    for (index, side) in sides.enumerated().dropFirst()
    where side.incompleteCount + baseline.incompleteCount > 0 {
      rows[index].verdict = .inconclusive
      if side.incompleteCount == 0 {
        rows[index].note = "a run of \(baseline.name) did not finish, so there is no verdict"
      }
    }
  }
}
