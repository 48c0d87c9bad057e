/// A list of stored events. An entry takes four bytes.
struct StoredEvents {
  private var chunks: [UnsafeRawPointer] = []
  /// For each event, the number of its chunk, and its offset in the chunk in units of eight bytes.
  private var places: [UInt32] = []

  private static let offsetBits: UInt32 = 13
  /// The maximum number of chunks that can be numbered.
  static let mostChunks = 1 << (UInt32.bitWidth - Int(offsetBits))

  var count: Int { places.count }

  subscript(position: Int) -> StoredEvent {
    Self.event(at: places[position], in: chunks)
  }

  private static func event(at place: UInt32, in chunks: [UnsafeRawPointer]) -> StoredEvent {
    let offset = Int(place & (1 << offsetBits - 1)) * 8
    return StoredEvent(at: chunks[Int(place >> offsetBits)] + offset)
  }

  mutating func reserveCapacity(_ capacity: Int) { places.reserveCapacity(capacity) }

  /// Adds the chunk that contains the next events.
  ///
  /// - Parameter memory: must stay valid as long as this list is used.
  mutating func add(chunk memory: UnsafeRawPointer) { chunks.append(memory) }

  /// Appends an event of the chunk that was added last.
  mutating func append(at offset: Int) {
    let chunk = UInt32(truncatingIfNeeded: chunks.count - 1)
    places.append(chunk << Self.offsetBits | UInt32(truncatingIfNeeded: offset / 8))
  }

  /// The first `count` events.
  func prefix(_ count: Int) -> StoredEvents {
    var result = self
    result.places.removeLast(places.count - count)
    return result
  }

  /// Brings the events into their order in time. Events of the same instant keep the order in which they were
  /// recorded, or in which they are in the list.
  mutating func sort() {
    // The sort is stable.
    places.sort { [chunks] left, right in
      let (left, right) = (Self.event(at: left, in: chunks), Self.event(at: right, in: chunks))
      return (left.time, left.sequence) < (right.time, right.sequence)
    }
  }
}
