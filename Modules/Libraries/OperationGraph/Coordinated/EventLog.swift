/// The events of a run that happened under one lock, in the detail that its recipients need.
struct EventLog: Sendable {
  enum Detail: Sendable {
    case none, observers, trace
  }

  private let detail: Detail
  private var events: [GraphEvent] = []
  /// For the trace: the operation that last freed a place or resources that other operations may have waited for.
  var leaver: Leaver?
  /// For the trace: how many of the free places were freed when there was no other, apart from places freed in the same
  /// way.
  var passedPlaces = 0

  init(_ detail: Detail) { self.detail = detail }

  var isTraced: Bool { detail == .trace }

  mutating func append(_ event: @autoclosure () -> GraphEvent) {
    if detail != .none { events.append(event()) }
  }

  mutating func appendForTrace(_ event: @autoclosure () -> GraphEvent) {
    if isTraced { events.append(event()) }
  }

  mutating func take() -> [GraphEvent] {
    guard !events.isEmpty else { return [] }
    defer { events = [] }
    return events
  }
}

/// An operation that has freed its place.
struct Leaver: Sendable {
  let operation: Int32
  /// Operations that became ready earlier may have waited for it, or for its resources.
  let arrival: UInt64
  /// Whether no other place was free, apart from places that were freed in the same way.
  let wasFull: Bool
  /// Whether it held resources.
  let hasGivenBack: Bool
}
