import AsyncPatterns

extension Course {
  /// The course with each of its durations multiplied by `factor`, each limited to about 100 years.
  func scaled(by factor: Double) -> Course {
    func scaled(_ duration: Duration?) -> Duration? {
      duration.map {
        .nanoseconds(Int64(min(Double($0.wholeNanoseconds) * factor, 3.2e18).rounded()))
      }
    }
    var result = self
    result.work = scaled(work)
    result.blocked = scaled(blocked)
    result.waiting = scaled(waiting)
    return result
  }
}
