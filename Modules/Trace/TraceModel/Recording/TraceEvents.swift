/// The events of a run, in time order. They are in an array, or still in the memory of the recorder.
///
/// A run can have millions of events, and an event is large. A reader of a recorder's events therefore does not copy
/// them.
package struct TraceEvents: RandomAccessCollection, @unchecked Sendable {
  // Safe to share: nothing here changes, and a published entry of a buffer never changes either.
  @usableFromInline let array: [TraceEvent]
  @usableFromInline let entries: [UnsafePointer<EventBuffer.Entry>]
  /// They own the memory of the entries.
  @usableFromInline let buffers: [EventBuffer]

  /// - Complexity: O(1) for an array, and for events that are in the memory of a recorder.
  package init(_ events: some Sequence<TraceEvent>) {
    if let events = events as? TraceEvents {
      self = events
    } else {
      (array, entries, buffers) = (Array(events), [], [])
    }
  }

  /// - Parameters:
  ///   - entries: in time order.
  ///   - buffers: the buffers with these entries.
  init(_ entries: [UnsafePointer<EventBuffer.Entry>], in buffers: [EventBuffer]) {
    (array, self.entries, self.buffers) = ([], entries, buffers)
  }

  @inlinable package var startIndex: Int { 0 }
  @inlinable package var endIndex: Int { buffers.isEmpty ? array.count : entries.count }

  @inlinable package subscript(position: Int) -> TraceEvent {
    guard !buffers.isEmpty else { return array[position] }
    return withExtendedLifetime(buffers) { entries[position].pointee.event }
  }
}
