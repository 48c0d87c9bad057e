/// The events of a run, in time order. They are in an array, or still in the memory of the recorder.
///
/// A run can have millions of events, and an event is large. A reader of a recorder's events therefore does not copy
/// them.
package final class TraceEvents: RandomAccessCollection, @unchecked Sendable {
  // Safe to share: nothing here changes, and a published event of a buffer never changes either.
  // Two arrays and not an enumeration, whose payload would be retained at each access.
  @usableFromInline let listed: [TraceEvent]
  @usableFromInline let stored: StoredEvents
  /// They own the memory of the stored events. Empty if the events are in an array.
  @usableFromInline let buffers: [EventBuffer]

  package init(_ events: [TraceEvent]) { (listed, stored, buffers) = (events, StoredEvents(), []) }

  /// - Parameters:
  ///   - stored: in time order.
  ///   - buffers: the buffers with these events.
  init(_ stored: StoredEvents, in buffers: [EventBuffer]) {
    (listed, self.stored, self.buffers) = ([], stored, buffers)
  }

  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { buffers.isEmpty ? listed.count : stored.count }

  @inlinable package subscript(position: Int) -> TraceEvent {
    guard !buffers.isEmpty else { return listed[position] }
    return withExtendedLifetime(buffers) { stored[position].event }
  }

  // Reading one property is faster than copying the whole event.
  package func time(at position: Int) -> Instant {
    buffers.isEmpty
      ? listed[position].time : withExtendedLifetime(buffers) { stored[position].time }
  }

  package func name(at position: Int) -> String {
    buffers.isEmpty
      ? listed[position].name : withExtendedLifetime(buffers) { stored[position].name }
  }

  package func detail(at position: Int) -> String {
    buffers.isEmpty
      ? listed[position].detail : withExtendedLifetime(buffers) { stored[position].detail }
  }

  package func span(at position: Int) -> Span {
    buffers.isEmpty
      ? listed[position].span : withExtendedLifetime(buffers) { stored[position].span }
  }

  package func lane(at position: Int) -> Lane {
    buffers.isEmpty
      ? listed[position].lane : withExtendedLifetime(buffers) { stored[position].lane }
  }

  /// The events as an array.
  ///
  /// - Complexity: O(1) if they are in one, otherwise O(n).
  package var array: [TraceEvent] { buffers.isEmpty ? listed : Array(self) }
}
