import AsyncPatterns

extension Course {
  /// The same, each part taking `factor` times as long, a hundred years at most.
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
