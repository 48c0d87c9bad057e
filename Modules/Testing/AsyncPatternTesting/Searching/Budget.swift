import AsyncPatterns

/// The schedules and the time that a search has left.
struct Budget {
  /// The factor by which the number of schedules grows for a law that the manual declares broken.
  private static let persistence = 5

  /// How many schedules have been tried.
  private(set) var spent = 0
  private let schedules: Int
  /// How much real time is left. Time without a search does not count, since the task may have to wait for a thread.
  private(set) var timeLeft: Duration

  init(_ laws: PatternLaws, isPersistent: Bool) {
    let schedules = min(max(laws.schedules, 1), 1 << 40)
    self.schedules = isPersistent ? schedules * Self.persistence : schedules
    timeLeft = laws.timeLimit
  }

  /// Notes that this number of schedules has been tried in that time.
  mutating func spend(_ schedules: Int, _ time: Duration) {
    spent += schedules
    timeLeft -= time
  }

  /// Whether the time has run out.
  var isExhausted: Bool { timeLeft <= .zero }

  /// How many of the remaining schedules the next candidate gets, if `count` candidates share them.
  func share(among count: Int) -> Int { max((schedules - spent) / count, 1) }
}
