/// Simplifies a schedule that violates a property, as long as it still violates the property. It removes the injection,
/// then choices that are not the first candidate, and makes the remaining choices smaller.
///
/// Zeller and Hildebrandt: Simplifying and isolating failure-inducing input (2002), doi:10.1109/32.988498.
struct Shrinking {
  /// The simplest schedule that is known to violate the property.
  private(set) var best: Schedule
  private var attempts: Attempts
  /// Whether the current pass, which tries to remove each deviation by itself, has removed any.
  private var hasRemoved = false

  private enum Attempts {
    case withoutInjection
    /// Without `size` neighbouring deviations, starting with number `from`.
    case without(size: Int, from: Int)
    /// With a smaller choice at that deviation.
    case smaller(deviation: Int, choice: Int)
    case none
  }

  init(_ schedule: Schedule) {
    best = schedule.trimmed
    attempts = .withoutInjection
    if schedule.injection == nil { attempts = firstAttempt }
  }

  private var deviations: [Int] { best.choices.indices.filter { best.choices[$0] != 0 } }

  private var firstAttempt: Attempts {
    let count = deviations.count
    return count == 0 ? .none : .without(size: count, from: 0)
  }

  /// The next schedule to try; nil if the best one cannot be simplified further.
  func next() -> Schedule? {
    var attempt = best
    switch attempts {
    case .none: return nil
    case .withoutInjection: attempt.injection = nil
    case .without(let size, let start):
      for index in deviations[start...].prefix(size) { attempt.choices[index] = 0 }
    case .smaller(let deviation, let choice): attempt.choices[deviations[deviation]] = choice
    }
    return attempt.trimmed
  }

  /// - Parameter violates: whether the schedule that `next` returned violates the property.
  mutating func learn(_ violates: Bool) {
    let count = deviations.count
    if violates, let next = next() { best = next }
    switch attempts {
    case .none: break
    case .withoutInjection: attempts = firstAttempt
    case .without(let size, let start):
      attempts = without(size, from: violates ? start : start + size, hadCount: count)
    case .smaller(let deviation, let choice):
      let isSmallest = violates || choice + 1 >= best.choices[deviations[deviation]]
      attempts =
        isSmallest
        ? smaller(from: deviation + 1) : .smaller(deviation: deviation, choice: choice + 1)
    }
  }

  private mutating func without(_ size: Int, from start: Int, hadCount: Int) -> Attempts {
    let left = deviations.count
    if size == 1, left < hadCount { hasRemoved = true }
    if left == 0 { return .none }
    if start < left { return .without(size: min(size, left), from: start) }
    if size > 1 { return .without(size: max(min(size, left) / 2, 1), from: 0) }
    if hasRemoved {
      // A deviation that was needed before may not be needed any longer.
      hasRemoved = false
      return .without(size: 1, from: 0)
    }
    return smaller(from: 0)
  }

  private func smaller(from first: Int) -> Attempts {
    let deviations = deviations
    let next = (first..<max(first, deviations.count)).first { best.choices[deviations[$0]] > 1 }
    return next.map { .smaller(deviation: $0, choice: 1) } ?? .none
  }
}

extension Schedule {
  /// The schedule without the zeros at the end: after the end of a schedule, every choice is 0.
  var trimmed: Schedule {
    var trimmed = self
    while trimmed.choices.last == 0 { trimmed.choices.removeLast() }
    return trimmed
  }
}
