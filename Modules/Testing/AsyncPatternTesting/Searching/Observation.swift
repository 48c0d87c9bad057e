import AsyncPatterns
import AsyncSimulation

/// What a trial's trace tells of the pattern and of each of its steps.
struct Observation {
  /// An event's place among all, and its time.
  struct Point {
    var place: Int
    var time: Instant
  }

  /// One start of a step, or a step that was not started.
  struct Course {
    var label: String
    var start: Point?
    var end: Point?
    var outcome: TraceEvent.Outcome?
    /// Why it failed, if it did.
    var reason = ""
  }

  /// The pattern's own span.
  private(set) var whole = Span.none
  /// When the pattern ended.
  private(set) var end: Point?
  private(set) var courses: [Course] = []
  /// What was used wrongly by the pattern itself, not by one of its steps: the rules.
  private(set) var ownMisuse: [String] = []

  init(_ events: [TraceEvent]) {
    var positions: [Span: Int] = [:]
    // Chains of promises that the pattern makes; what they start are its steps.
    var chains: Set<Span> = []
    func isOwn(_ span: Span) -> Bool { span == whole || chains.contains(span) }
    for (place, event) in events.enumerated() {
      let point = Point(place: place, time: event.time)
      switch event.kind {
      case .submitted where event.parent == .none: whole = event.span
      case .submitted where isOwn(event.parent) && event.role == .chain:
        chains.insert(event.span)
      case .submitted where isOwn(event.parent):
        positions[event.span] = courses.count
        courses.append(Course(label: event.name))
      case .started:
        if let position = positions[event.span] { courses[position].start = point }
      case .finished where event.span == whole: end = point
      case .finished:
        guard let position = positions[event.span] else { break }
        courses[position].end = point
        courses[position].outcome = event.outcome
        courses[position].reason = event.detail
      case .misuse where isOwn(event.span): ownMisuse.append(event.name)
      default: break
      }
    }
  }

  /// The steps that failed, in the order in which they did.
  var failures: [Course] { courses.filter { $0.outcome == .failure }.sorted(by: Self.endedEarlier) }

  /// The steps that ended by themselves, in the order in which they did.
  var endings: [Course] {
    courses.filter { $0.end != nil && $0.outcome != .cancelled }.sorted(by: Self.endedEarlier)
  }

  /// The steps that started and have not ended.
  var open: [Course] { courses.filter { $0.start != nil && $0.end == nil } }

  private static func endedEarlier(_ left: Course, _ right: Course) -> Bool {
    (left.end?.place ?? .max) < (right.end?.place ?? .max)
  }
}
