/// Something that is timed in turn with others, so that what disturbs the machine disturbs all alike.
public struct Contestant {
  public var name: String
  let round: () throws -> Duration

  /// - Parameter round: does it once and tells how long it took, without what only prepares it.
  public init(_ name: String, round: @escaping () throws -> Duration) {
    self.name = name
    self.round = round
  }
}

extension Contestant {
  /// The median time of each contestant, after `rounds` rounds in which each had its turn; before them,
  /// each has one that does not count.
  public static func medians(of contestants: [Contestant], rounds: Int) throws -> [Duration] {
    try times(of: contestants, rounds: rounds).map(\.median)
  }

  /// The times of each contestant, round by round; otherwise as the medians.
  public static func times(of contestants: [Contestant], rounds: Int) throws -> [[Duration]] {
    for contestant in contestants { _ = try contestant.round() }
    var times = contestants.map { _ in [Duration]() }
    for round in 0..<rounds {
      // Another one begins each time, so nobody always follows the same one.
      for offset in contestants.indices {
        let turn = (round + offset) % contestants.count
        times[turn].append(try contestants[turn].round())
      }
    }
    return times
  }
}

extension Array where Element: Comparable {
  /// The one in the middle; the upper one of two.
  public var median: Element { sorted()[count / 2] }
}
