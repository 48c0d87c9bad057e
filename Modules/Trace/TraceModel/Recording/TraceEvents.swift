/// The events of a run, in time order. They are in an array, or still in the memory of the recorder.
///
/// A run can have millions of events, and an event is large. A reader of a recorder's events therefore does not copy
/// them.
package final class TraceEvents: RandomAccessCollection, @unchecked Sendable {
  // Safe to share: nothing here changes, and a published event of a buffer never changes either.
  // Two arrays and not an enumeration, whose payload would be retained at each access.
  private let listed: [TraceEvent]
  private let stored: StoredEvents
  private let isStored: Bool
  /// They own the memory of the stored events. Empty if the events are in an array.
  private let buffers: [EventBuffer]

  package init(_ events: [TraceEvent]) {
    (listed, stored, buffers, isStored) = (events, StoredEvents(), [], false)
  }

  /// - Parameters:
  ///   - stored: in time order.
  ///   - buffers: the buffers with these events.
  init(_ stored: StoredEvents, in buffers: [EventBuffer]) {
    (listed, self.stored, self.buffers, isStored) = ([], stored, buffers, true)
  }

  package var startIndex: Int { 0 }
  package var endIndex: Int { isStored ? stored.count : listed.count }

  // Each function keeps this object alive while it reads, and with it the memory.
  package subscript(position: Int) -> TraceEvent {
    withExtendedLifetime(self) { isStored ? stored[position].event : listed[position] }
  }

  // Reading one property is faster than copying the whole event.
  package func time(at position: Int) -> Instant {
    withExtendedLifetime(self) {
      isStored ? stored[position].time : listed[position].time
    }
  }

  package func name(at position: Int) -> String {
    withExtendedLifetime(self) {
      isStored ? stored[position].name : listed[position].name
    }
  }

  package func detail(at position: Int) -> String {
    withExtendedLifetime(self) {
      isStored ? stored[position].detail : listed[position].detail
    }
  }

  package func span(at position: Int) -> Span {
    withExtendedLifetime(self) {
      isStored ? stored[position].span : listed[position].span
    }
  }

  package func lane(at position: Int) -> Lane {
    withExtendedLifetime(self) {
      isStored ? stored[position].lane : listed[position].lane
    }
  }

  /// The events up to and including `time`. The memory of all events stays alive.
  ///
  /// - Complexity: O(n)
  package func until(_ time: Instant) -> TraceEvents {
    // From the end, since most callers leave out only a few.
    let count = indices.last { self.time(at: $0) <= time }.map { $0 + 1 } ?? 0
    return isStored
      ? TraceEvents(stored.prefix(count), in: buffers) : TraceEvents(Array(listed.prefix(count)))
  }

  /// The events as an array.
  ///
  /// - Complexity: O(1) if they are in one, otherwise O(n).
  package var array: [TraceEvent] { isStored ? Array(self) : listed }
}
