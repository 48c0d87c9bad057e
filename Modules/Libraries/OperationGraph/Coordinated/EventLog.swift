/// The events of a run that happened under one lock, in the detail that its recipients need.
struct EventLog: Sendable {
  enum Detail: Sendable {
    case none, observers, trace
  }

  private let detail: Detail
  private var events: [GraphEvent] = []
  /// For the trace: the last freed place that other operations may have waited for, also for its resources.
  var lastFreed: FreedPlace?
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

/// A place that an operation has freed.
struct FreedPlace: Sendable {
  let operation: Int32
  /// Operations that became ready earlier may have waited for the place, or for its resources.
  let arrival: UInt64
  /// Whether no other place was free, apart from places that were freed in the same way.
  let wasFull: Bool
  /// Whether the operation held resources, which are free again.
  let hasGivenBack: Bool
}
