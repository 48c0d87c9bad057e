/// A measured implementation. Contestants run in turn, so that disturbances of the machine affect all of them
/// alike.
public struct Contestant {
  public var name: String
  let round: () throws -> Duration

  /// - Parameter round: does the work once and returns its time, without the time of the preparation.
  public init(_ name: String, round: @escaping () throws -> Duration) {
    self.name = name
    self.round = round
  }
}

extension Contestant {
  /// The median time of each contestant over `rounds` rounds. Each contestant runs once in each round. An additional
  /// first round does not count.
  public static func medians(of contestants: [Contestant], rounds: Int) throws -> [Duration] {
    try times(of: contestants, rounds: rounds).map(\.median)
  }

  /// The times of each contestant, round by round. The rounds are the same as for the medians.
  public static func times(of contestants: [Contestant], rounds: Int) throws -> [[Duration]] {
    for contestant in contestants { _ = try contestant.round() }
    var times = contestants.map { _ in [Duration]() }
    for _ in 0..<rounds {
      // In another order each time, because a contestant leaves its traces in the heap and in the caches.
      for turn in contestants.indices.shuffled() {
        times[turn].append(try contestants[turn].round())
      }
    }
    return times
  }
}

extension Array where Element: Comparable {
  /// The middle element; the upper one of two.
  public var median: Element { sorted()[count / 2] }
}
