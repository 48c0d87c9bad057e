/// Searches for a schedule that does not violate a property. The result shares as many first choices as possible with a
/// given schedule that violates the property.
struct PassingScheduleSearch {
  private let schedule: Schedule
  private let drawn: [Int]
  private let counts: [Int]
  private var attempt: Attempt
  private var attemptsLeft: Int
  /// How many choices the best passing schedule shares; nil if none was found.
  private var sharedChoices: Int?
  /// The candidate that the best passing schedule takes after the shared choices.
  private var choice = 0
  private var passesWithoutInjection = false
  /// Whether the choices after a change are last in, first out.
  private var isReversed = false

  private enum Attempt {
    case withoutInjection
    /// First in, first out from the last choice that is not the first candidate. This way, few attempts are needed to
    /// find a schedule that passes.
    case withoutLastDeviation(index: Int)
    /// Another candidate at one of the choices, starting with the last choice.
    case change(index: Int, to: Int)
    case none
  }

  /// - Parameters:
  ///   - drawn: all choices of the schedule, including the zeros at its end.
  ///   - counts: the number of candidates of each choice.
  ///   - attempts: the maximum number of attempts.
  init(from schedule: Schedule, drawn: [Int], counts: [Int], attempts: Int) {
    self.schedule = schedule
    self.drawn = drawn
    self.counts = counts
    attemptsLeft = attempts
    attempt = .withoutInjection
    if schedule.injection == nil { attempt = firstChange() }
  }

  private mutating func firstChange() -> Attempt {
    drawn.lastIndex { $0 != 0 }.map { .withoutLastDeviation(index: $0) }
      ?? change(from: drawn.count - 1, to: 0)
  }

  /// The next change to try. If no change passes with first in, first out after it, tries last in, first out after it.
  private mutating func change(from index: Int, to choice: Int) -> Attempt {
    let attempt = nextChange(from: index, to: choice)
    guard case .none = attempt, !isReversed, sharedChoices == nil, !passesWithoutInjection else {
      return attempt
    }
    isReversed = true
    return nextChange(from: drawn.count - 1, to: 0)
  }

  private func nextChange(from index: Int, to choice: Int) -> Attempt {
    var (index, choice) = (index, choice)
    // A schedule that shares less than the best one is of no use.
    while index >= 0, index > sharedChoices ?? -1 {
      if choice == drawn[index] { choice += 1 }
      if choice < counts[index] { return .change(index: index, to: choice) }
      index -= 1
      choice = 0
    }
    return .none
  }

  /// The next schedule to try; nil if the search is done.
  func next() -> Schedule? {
    guard attemptsLeft > 0 else { return nil }
    switch attempt {
    case .none: return nil
    case .withoutInjection: return Schedule(workers: schedule.workers, choices: drawn)
    case .withoutLastDeviation(let index):
      return Schedule(
        workers: schedule.workers, choices: Array(drawn[..<index]), injection: schedule.injection)
    case .change(let index, let choice):
      return Schedule(
        workers: schedule.workers, choices: drawn[..<index] + [choice] + tail(after: index),
        injection: schedule.injection)
    }
  }

  /// A schedule that passes may have more choices than the one that does not.
  private static let shortestTail = 100

  /// The choices after a change: always the last candidate, for as many choices as are expected. Empty for first in,
  /// first out.
  private func tail(after index: Int) -> [Int] {
    guard isReversed else { return [] }
    return Array(repeating: Int(Int32.max), count: max(drawn.count - index, Self.shortestTail))
  }

  mutating func learn(_ violates: Bool) {
    attemptsLeft -= 1
    switch attempt {
    case .none: break
    case .withoutInjection:
      passesWithoutInjection = !violates
      attempt = firstChange()
    case .withoutLastDeviation(let index):
      if !violates { sharedChoices = index }
      attempt = change(from: drawn.count - 1, to: 0)
    case .change(let index, let choice):
      if !violates { (sharedChoices, self.choice) = (index, choice) }
      attempt = violates ? change(from: index, to: choice + 1) : .none
    }
  }

  /// How many moments of the violating schedule the best passing one shares, and the name of its next candidate. The
  /// name is nil if the difference is only that nothing is injected there.
  ///
  /// - Returns: nil if no passing schedule was found.
  func shared(_ narration: Narration) -> (count: Int, next: String?)? {
    let withoutInjection = passesWithoutInjection ? narration.momentCountBeforeInjection : nil
    guard let sharedChoices else { return withoutInjection.map { ($0, nil) } }
    let count = narration.momentCount(beforeChoice: sharedChoices)
    if let withoutInjection, withoutInjection >= count { return (withoutInjection, nil) }
    return (count, narration.candidate(choice, after: count))
  }
}
