import AsyncPatterns
import TimingTrace

/// Replaces the leaves of a composition. Each leaf then takes its measured time, multiplied by the factors of the
/// scales that apply to it.
///
/// A leaf that started several times takes the time of each start, in order. If a leaf was not measured to its end, an
/// assumption is made, according to the table below. The ledger records the assumption when the leaf starts, with two
/// exceptions. It does not record that a leaf of the second row takes its written time. It does not record steps of the
/// third row that take no time as they are written, such as `value`.
///
/// | measurement | assumption |
/// | --- | --- |
/// | fewer starts than there are now | the last start again |
/// | it was cancelled or had not finished | the written time, or else slightly longer than it ran |
/// | no start, or cancelled while queued | the written time, or else the mean of similar leaves, or else no time |
///
/// Similar leaves have the same kind, and labels that differ only in their number.
final class LeafReplacement {
  let ledger = Ledger()
  private let measurements: Measurements
  private let scales: [ScaleSearch]
  private var leafCount = 0
  private var unmeasured: [Unmeasured: Step] = [:]

  /// Identifies steps without any measurements that can share a replacement.
  private struct Unmeasured: Hashable {
    var steps: UnsafeRawPointer?
    var left: [Int]
  }

  init(_ measurements: Measurements, _ scales: [ScaleSearch]) {
    self.measurements = measurements
    self.scales = scales
  }

  /// The step of the run with its leaves replaced.
  func replacing(in step: Step) -> Step {
    let left = scales.map(\.parts.count)
    guard step.steps.isEmpty else {
      return rebuilt(step, at: [measurements.top], left: left, path: "")
    }
    let inside = zip(scales, left).map { $0.left($1, below: step) }
    return leaf(
      step, [measurements.ownStep(label: step.label, kind: step.kind)], factor: factor(inside),
      path: step.label)
  }

  /// The replacement of a step that has parts: the same pattern with the replaced parts.
  ///
  /// - Parameter places: the starts of the step in the record.
  private func rebuilt(_ step: Step, at places: [Int], left: [Int], path: String) -> Step {
    guard let pattern = step.pattern else { return step }
    let key = Unmeasured(steps: step.steps.withUnsafeBytes { $0.baseAddress }, left: left)
    if places.isEmpty, let known = unmeasured[key] { return known.standing(in: step) }
    let parts = step.steps.map { part in
      let inside = zip(scales, left).map { $0.left($1, below: part) }
      let starts = places.isEmpty ? [] : measurements.places(of: part.label, below: places)
      let path =
        (path.isEmpty ? "" : path + "/") + (part.group.map { $0 + "/" } ?? "") + part.label
      return part.steps.isEmpty
        ? leaf(
          part, starts.map { measurements.steps[$0] }, factor: factor(inside), path: path)
        : rebuilt(part, at: starts, left: inside, path: path)
    }
    let result = Step(step.label, pattern: pattern, steps: parts).standing(in: step)
    if places.isEmpty { unmeasured[key] = result }
    return result
  }

  private func factor(_ left: [Int]) -> Double {
    zip(scales, left).reduce(1) { $1.1 == 0 ? $0 * $1.0.factor : $0 }
  }

  // MARK: - Leaves

  /// A course, and the assumption that was made for it, if any.
  private struct Expected {
    var course: Course
    var assumption: Assumption?

    func scaled(by factor: Double) -> Expected {
      var course = course.scaled(by: factor)
      // A cancelled leaf had not finished when it was cancelled. So at any scale, it needs slightly longer than the
      // scaled time that it ran.
      if case .justLonger? = assumption {
        course.waiting = (course.waiting ?? .zero) + .nanoseconds(1)
      }
      return Expected(course: course, assumption: assumption)
    }
  }

  /// - Parameter records: the starts of the step.
  private func leaf(
    _ step: Step, _ records: [StepRecord], factor: Double, path: String
  ) -> Step {
    let number = leafCount
    leafCount += 1
    let written = step.pattern as? WrittenLeaf
    let starts = records.map { record in
      (record.started == nil ? unmeasured(step, written) : expected(record, written))
        .scaled(by: factor)
    }
    let otherwise =
      if let last = starts.last, records.contains(where: { $0.started != nil }) {
        Expected(course: last.course, assumption: .startsMoreOften(than: starts.count))
      } else {
        starts.last ?? unmeasured(step, written).scaled(by: factor)
      }
    let ledger = ledger
    return Step(step.label) { scope in
      let before = ledger.starts(of: number, on: scope.runtime)
      let start = before < starts.count ? starts[before] : otherwise
      return (
        start.course,
        { if let assumption = start.assumption { ledger.assume(assumption, of: number, path) } }
      )
    }.standing(in: step)
  }

  /// The duration and result of one start.
  private func expected(_ record: StepRecord, _ written: WrittenLeaf?) -> Expected {
    var course = measurements.course(of: record)
    course.ending = written?.success ?? .success(Value.none)
    switch record.outcome {
    case .success, .skipped, .waiting: return Expected(course: course)
    case .failure:
      course.ending = .failure(record.error ?? "failed")
      return Expected(course: course)
    case .cancelled, .unfinished:
      if let known = written?.course, known.ending == .never || known.length >= course.length {
        return Expected(course: known)
      }
      return Expected(
        course: course,
        assumption: .justLonger(course.length, wasCancelled: record.outcome == .cancelled))
    }
  }

  private func unmeasured(_ step: Step, _ written: WrittenLeaf?) -> Expected {
    if let written, let course = written.course {
      return Expected(
        course: course, assumption: written.isTimed ? .asWritten(course.length) : nil)
    }
    guard var course = like[Likeness(step.label, step.kind)] else {
      return Expected(course: Course(ending: .success(Value.none)), assumption: .noTime)
    }
    course.ending = written?.success ?? .success(Value.none)
    return Expected(course: course, assumption: .mean(course.length))
  }

  /// The properties that similar leaves share. Leaves that share them may be copies of each other.
  private struct Likeness: Hashable {
    var stem: Substring
    var kind: String

    init(_ label: String, _ kind: String) {
      let dash = label.lastIndex(of: "-")
      let isNumbered = dash.map { Int(label[label.index(after: $0)...]) != nil } ?? false
      stem = isNumbered ? label[..<(dash ?? label.endIndex)] : label[...]
      self.kind = kind
    }
  }

  private lazy var like: [Likeness: Course] = {
    let leaves = measurements.steps.filter { $0.isLeaf && $0.outcome == .success }
    return Dictionary(grouping: leaves) { Likeness($0.label, $0.pattern) }
      .compactMapValues { leaves in Course.mean(of: leaves.map { measurements.course(of: $0) }) }
  }()
}

/// An assumption about a leaf that was not measured completely.
enum Assumption: Sendable {
  case startsMoreOften(than: Int)
  case justLonger(Duration, wasCancelled: Bool)
  case asWritten(Duration)
  case mean(Duration)
  case noTime

  func sentence(about path: String) -> String {
    switch self {
    case .startsMoreOften(let count):
      "“\(path)” starts more often than in the recording (\(count)): each further start takes as long as "
        + "the last one."
    case .justLonger(let duration, let wasCancelled):
      "“\(path)” \(wasCancelled ? "was cancelled" : "had not finished") after "
        + "\(duration.shortDescription): it is assumed to need slightly longer."
    case .asWritten(let duration):
      "“\(path)” never started in the recording: it takes the time in the script, "
        + "\(duration.shortDescription)."
    case .mean(let duration):
      "“\(path)” never started in the recording: it takes the mean of similar steps, "
        + "\(duration.shortDescription)."
    case .noTime:
      "“\(path)” never started in the recording, nor did a similar step: it takes no time."
    }
  }
}

extension Step {
  /// The step in place of another step: with the other step's label, kind, group, options and predecessors.
  fileprivate func standing(in other: Step) -> Step {
    var result = self
    result.label = other.label
    result.kind = other.kind
    result.group = other.group
    result.predecessors = other.predecessors
    result.options = other.options
    return result
  }
}
