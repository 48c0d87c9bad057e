/// The events of a run under one lock, in as much detail as its handlers need.
struct EventLog: Sendable {
  enum Detail: Sendable {
    case none, observers, trace
  }

  private let detail: Detail
  private var events: [GraphEvent] = []
  /// For the trace: the operation that last left a place or resources that others may have waited for.
  var leaver: Leaver?
  /// For the trace: how many of the free places operations have left when there were no others.
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

/// An operation that has left its place.
struct Leaver: Sendable {
  let operation: Int32
  /// Operations that became ready before may have waited for it, or for what it held.
  let arrival: UInt64
  /// Whether there was no other place, but for some that others had left as this one.
  let wasFull: Bool
  /// Whether it held resources.
  let hasGivenBack: Bool
}
