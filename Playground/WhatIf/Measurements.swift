import AsyncPatterns
import TimingTrace

/// What a record says of its steps, found by their place in the composition.
struct Measurements {
  let steps: [StepRecord]
  private let end: Int64
  /// For each step the ones below it by label; those right below the run's own step come last.
  private var below: [[String: [Int]]]

  init(_ record: RunRecord) {
    steps = record.steps
    end = record.makespan
    below = Array(repeating: [:], count: steps.count + 1)
    for (index, step) in steps.enumerated() {
      below[step.parent ?? steps.count][step.label, default: []].append(index)
    }
  }

  /// Stands for the run's own step among the places that `places(of:below:)` takes.
  var top: Int { steps.count }

  /// Every time that the turn of the step called `label` came below these starts of its pattern, in time
  /// order, with those it never came to. One that was called off in a queue has not started.
  func places(of label: String, below parents: [Int]) -> [Int] {
    let found = parents.flatMap { below[$0][label] ?? [] }
    if found.count < 2 { return found }
    func turn(_ place: Int) -> Int64 { steps[place].started ?? steps[place].submitted }
    return found.sorted { (turn($0), $0) < (turn($1), $1) }
  }

  /// How long it ran, until the end of the record if it did not finish; but for how long its end waited for its lane.
  func elapsed(_ step: StepRecord) -> Int64 {
    guard let started = step.started else { return 0 }
    let elapsed = (step.finished ?? end).subtractingClamped(started)
    return max(elapsed.subtractingClamped(max(step.late, 0)), 0)
  }

  /// The time that a start of a step took: what it worked, what it stood parked, and the rest.
  ///
  /// Work of several workers for one step is not told apart, so there is never more than time went by.
  /// What only works, or only stands parked, holds its worker to its end, also while the machine gives
  /// the worker no time.
  func course(of step: StepRecord) -> Course {
    let elapsed = elapsed(step)
    let work = step.pattern == "work" ? elapsed : min(max(step.work, 0), elapsed)
    let blocked =
      step.pattern == "block" ? elapsed : min(max(step.blocked, 0), elapsed - work)
    let rest = elapsed - work - blocked
    func part(_ nanoseconds: Int64, always: Bool) -> Duration? {
      nanoseconds > 0 || always ? .nanoseconds(nanoseconds) : nil
    }
    return Course(
      work: part(work, always: step.pattern == "work"),
      blocked: part(blocked, always: step.pattern == "block"),
      waiting: part(rest, always: step.pattern == "sleep"))
  }
}

extension Course {
  /// How long it takes, queues left out.
  var length: Duration { (work ?? .zero) + (blocked ?? .zero) + (waiting ?? .zero) }

  /// The mean of several, part by part; nil of none.
  static func mean(of courses: [Course]) -> Course? {
    guard !courses.isEmpty else { return nil }
    func mean(_ part: (Course) -> Duration?) -> Duration? {
      let sum = courses.reduce(0.0) { $0 + Double((part($1) ?? .zero).wholeNanoseconds) }
      return sum > 0 ? .nanoseconds(Int64((sum / Double(courses.count)).rounded())) : nil
    }
    return Course(
      work: mean { $0.work }, blocked: mean { $0.blocked }, waiting: mean { $0.waiting })
  }
}
