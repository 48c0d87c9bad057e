/// Looks for a schedule that does not violate a property and has as much as possible in common, from its
/// start, with one that does.
struct Divergence {
  private let schedule: Schedule
  private let drawn: [Int]
  private let counts: [Int]
  private var attempt: Attempt
  private var attemptsLeft: Int
  /// How many choices the best schedule shares, if one was found.
  private var sharedChoices: Int?
  private var passesWithoutInjection = false

  private enum Attempt {
    case withoutInjection
    /// Another candidate at one of the choices, from the last one on.
    case change(index: Int, to: Int)
    case none
  }

  /// - Parameters:
  ///   - drawn: all choices of the schedule, the zeros at its end, too.
  ///   - counts: how many candidates each had.
  ///   - attempts: how many to make at most.
  init(from schedule: Schedule, drawn: [Int], counts: [Int], attempts: Int) {
    self.schedule = schedule
    self.drawn = drawn
    self.counts = counts
    attemptsLeft = attempts
    attempt = .withoutInjection
    if schedule.injection == nil { attempt = change(from: drawn.count - 1, to: 0) }
  }

  private func change(from index: Int, to choice: Int) -> Attempt {
    var (index, choice) = (index, choice)
    while index >= 0 {
      if choice == drawn[index] { choice += 1 }
      if choice < counts[index] { return .change(index: index, to: choice) }
      index -= 1
      choice = 0
    }
    return .none
  }

  /// What to try next; nil if one has been found, or none is to be.
  func next() -> Schedule? {
    guard attemptsLeft > 0 else { return nil }
    switch attempt {
    case .none: return nil
    case .withoutInjection: return Schedule(workers: schedule.workers, choices: drawn)
    case .change(let index, let choice):
      return Schedule(
        workers: schedule.workers, choices: drawn[..<index] + [choice],
        injection: schedule.injection)
    }
  }

  mutating func learn(_ violates: Bool) {
    attemptsLeft -= 1
    switch attempt {
    case .none: break
    case .withoutInjection:
      passesWithoutInjection = !violates
      attempt = change(from: drawn.count - 1, to: 0)
    case .change(let index, let choice):
      if !violates { sharedChoices = index }
      attempt = violates ? change(from: index, to: choice + 1) : .none
    }
  }

  /// How many moments of the violating schedule the best one shares; nil if none was found.
  func sharedMoments(_ narrator: Narrator) -> Int? {
    let shared = [
      sharedChoices.map { narrator.momentCount(beforeChoice: $0) },
      passesWithoutInjection ? narrator.momentCountBeforeInjection : nil,
    ]
    return shared.compactMap { $0 }.max()
  }
}
