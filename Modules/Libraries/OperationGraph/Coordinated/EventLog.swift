/// The events of one decision that a run makes under its lock, as far as anything records or observes them.
struct EventLog: Sendable {
  enum Detail: Sendable {
    case none, observers, trace
  }

  private let detail: Detail
  private var events: [GraphEvent] = []
  /// For the trace: the place that was freed last, if other operations may have waited for it or
  /// for its resources.
  var lastFreed: FreedPlace?
  /// For the trace: the number of free places that were freed while the run was at its width. They count as taken in
  /// the check whether the run is at its width.
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
  /// Whether the run was at its width when the place was freed. The free places that `EventLog.passedPlaces` counts
  /// count as taken.
  let wasFull: Bool
  /// Whether the operation held resources, which are free again.
  let hasGivenBack: Bool
}
