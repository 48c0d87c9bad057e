import AsyncPatterns
import AsyncSimulation

/// What the trace of a trial shows about the pattern and each of its steps.
struct Observation {
  /// The position of an event among all events, and its time.
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
  /// The rules that the pattern itself violated. Misuses by its steps do not count.
  private(set) var ownMisuse: [String] = []

  init(_ events: [TraceEvent]) {
    var positions: [Span: Int] = [:]
    // The pattern may create chains of promises. Steps that the chains start are steps of the pattern.
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

  /// The steps that failed, in the order in which they failed.
  var failures: [Course] { courses.filter { $0.outcome == .failure }.sorted(by: Self.endedEarlier) }

  /// The steps that ended by themselves, in the order in which they ended.
  var endings: [Course] {
    courses.filter { $0.end != nil && $0.outcome != .cancelled }.sorted(by: Self.endedEarlier)
  }

  /// The steps that have started and not ended.
  var open: [Course] { courses.filter { $0.start != nil && $0.end == nil } }

  private static func endedEarlier(_ left: Course, _ right: Course) -> Bool {
    (left.end?.place ?? .max) < (right.end?.place ?? .max)
  }
}
