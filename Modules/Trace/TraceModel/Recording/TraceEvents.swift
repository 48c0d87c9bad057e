/// The events of a run, in time order. They are in an array, or still in the memory of the recorder.
///
/// A run can have millions of events, and an event is large. A reader of a recorder's events therefore does not copy
/// them.
package struct TraceEvents: RandomAccessCollection, @unchecked Sendable {
  // Safe to share: nothing here changes, and a published entry of a buffer never changes either.
  // Two arrays and not an enumeration, whose payload would be retained at each access.
  @usableFromInline let listed: [TraceEvent]
  @usableFromInline let entries: [UnsafePointer<EventBuffer.Entry>]
  /// They own the memory of the entries. Empty if the events are in an array.
  @usableFromInline let buffers: [EventBuffer]

  package init(_ events: [TraceEvent]) { (listed, entries, buffers) = (events, [], []) }

  /// - Parameters:
  ///   - entries: in time order.
  ///   - buffers: the buffers with these entries.
  init(_ entries: [UnsafePointer<EventBuffer.Entry>], in buffers: [EventBuffer]) {
    (listed, self.entries, self.buffers) = ([], entries, buffers)
  }

  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { buffers.isEmpty ? listed.count : entries.count }

  @inlinable package subscript(position: Int) -> TraceEvent {
    guard !buffers.isEmpty else { return listed[position] }
    return withExtendedLifetime(buffers) { entries[position].pointee.event }
  }

  /// The events as an array.
  ///
  /// - Complexity: O(1) if they are in one, otherwise O(n).
  package var array: [TraceEvent] { buffers.isEmpty ? listed : Array(self) }
}
