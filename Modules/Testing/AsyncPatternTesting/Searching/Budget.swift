import AsyncPatterns

/// How much a search may still try.
struct Budget {
  /// How many times as many schedules what a manual says is looked for with.
  private static let persistence = 5

  /// How many schedules have been tried.
  private(set) var spent = 0
  private let schedules: Int
  /// How much real time is left. What passes while nothing is searched does not count: the task may
  /// have to wait for a thread.
  private(set) var timeLeft: Duration

  init(_ laws: PatternLaws, isPersistent: Bool) {
    let schedules = min(max(laws.schedules, 1), 1 << 40)
    self.schedules = isPersistent ? schedules * Self.persistence : schedules
    timeLeft = laws.timeLimit
  }

  /// So many schedules have been tried, and it took so long.
  mutating func spend(_ schedules: Int, _ time: Duration) {
    spent += schedules
    timeLeft -= time
  }

  /// Whether the time is over.
  var isOver: Bool { timeLeft <= .zero }

  /// How many of the schedules left are for the next one of `count` that share them.
  func share(among count: Int) -> Int { max((schedules - spent) / count, 1) }
}
