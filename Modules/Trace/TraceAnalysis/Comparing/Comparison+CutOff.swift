extension Comparison.Side {
  /// The same side without its incomplete runs.
  var whole: Comparison.Side {
    var side = self
    side.runs.removeAll(where: \.isCutOff)
    return side
  }

  /// Whether `side` had runs, and all of them are incomplete.
  func isLost(from side: Comparison.Side) -> Bool { runs.isEmpty && !side.runs.isEmpty }

  fileprivate var cutOff: Int { runs.count(where: \.isCutOff) }
}

extension Comparison {
  /// Notes how many incomplete runs each row leaves out, and removes the verdicts that this makes invalid.
  mutating func leaveOutCutOff(_ sides: [Side]) {
    for (index, side) in sides.enumerated() where side.cutOff > 0 {
      let count = side.cutOff
      rows[index].runsLeftOut = count
      warnings.append(
        "\(count) of \(side.runs.count) runs of \(side.name) did not finish, as far as it is written down, and "
          + "\(count == 1 ? "is" : "are") left out")
      if clock == .virtual {
        rows[index].note =
          "\(count) of \(side.runs.count) runs did not finish, which is a difference, and none of speed"
      } else if rows[index].runs == 0 {
        rows[index].note = "none of its runs finished"
      }
    }
    guard clock == .virtual, let baseline = sides.first else { return }
    for (index, side) in sides.enumerated().dropFirst() where side.cutOff + baseline.cutOff > 0 {
      rows[index].verdict = .inconclusive
      if side.cutOff == 0 {
        rows[index].note = "a run of \(baseline.name) did not finish, so there is no verdict"
      }
    }
  }
}
