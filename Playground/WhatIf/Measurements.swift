import AsyncPatterns
import TimingTrace

/// The measurements of a record's steps, indexed by their place in the composition.
struct Measurements {
  let steps: [StepRecord]
  private let record: RunRecord
  /// For each step, the steps below it by label. The last element contains the steps at the top of the run.
  private var below: [[String: [Int]]]

  init(_ record: RunRecord) {
    steps = record.steps
    self.record = record
    below = Array(repeating: [:], count: steps.count + 1)
    for (index, step) in steps.enumerated() {
      below[step.parent ?? steps.count][step.label, default: []].append(index)
    }
  }

  /// The place that represents the run itself in `places(of:below:)`.
  var top: Int { steps.count }

  /// The run's own step, if it was written without parts. If its code started tasks, the record contains only the tasks.
  /// Then the step takes the time of the whole run.
  func ownStep(label: String, kind: String) -> StepRecord {
    if let own = steps.first(where: {
      $0.parent == nil && $0.label == label && $0.pattern == kind
    }) {
      return own
    }
    var own = StepRecord(
      label: label, pattern: kind, submitted: 0, work: record.work,
      blocked: record.blocked, isLeaf: false)
    own.started = 0
    own.finished = record.outcome == .unfinished ? nil : record.makespan
    own.outcome = StepRecord.Outcome(rawValue: record.outcome.rawValue) ?? .unfinished
    own.error = record.error
    return own
  }

  /// All places of the step called `label` below these starts of its pattern, in order of time. They include steps that
  /// never started, for example because they were cancelled while queued.
  func places(of label: String, below parents: [Int]) -> [Int] {
    let found = parents.flatMap { below[$0][label] ?? [] }
    if found.count < 2 { return found }
    func turn(_ place: Int) -> Int64 { steps[place].started ?? steps[place].submitted }
    return found.sorted { (turn($0), $0) < (turn($1), $1) }
  }

  /// The time that the step ran, without the time that its end waited for its lane. A step that did not finish ran
  /// until the end of the record.
  func elapsed(_ step: StepRecord) -> Int64 {
    guard let started = step.started else { return 0 }
    let elapsed = (step.finished ?? record.makespan).subtractingClamped(started)
    return max(elapsed.subtractingClamped(max(step.late, 0)), 0)
  }

  /// The durations of one start of a step: the time it worked, the time it blocked, and the rest.
  ///
  /// If several workers work for one step at the same time, their times are not kept apart: the sum of the durations is
  /// at most the elapsed time. A `work` or `block` step occupies its worker until it ends, even while the machine gives
  /// the worker no CPU time.
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
  /// The total duration, without time in queues.
  var length: Duration { (work ?? .zero) + (blocked ?? .zero) + (waiting ?? .zero) }

  /// The mean of several courses, part by part; nil if there are none.
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
