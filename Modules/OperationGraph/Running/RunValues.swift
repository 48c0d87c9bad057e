/// The values of one run. Whoever holds it can read them.
///
/// Safe to share: each place is written once, by whoever ends its operation, and read by those who know
/// that it has ended.
final class RunValues: @unchecked Sendable {
  let slots: SlotList
  let places: Places

  init(_ slots: SlotList) {
    self.slots = slots
    places = slots.slots.withUnsafeBufferPointer { table in
      Places(
        bytes: .allocate(byteCount: max(slots.size, 1), alignment: slots.alignment),
        isFilled: .allocate(capacity: table.count), table: table.baseAddress)
    }
    places.isFilled.initialize(repeating: false, count: slots.count)
  }

  deinit {
    for (slot, entry) in slots.slots.enumerated() where places.isFilled[slot] {
      Self.deinitialize(entry.type, places.bytes + entry.offset)
    }
    places.bytes.deallocate()
    places.isFilled.deallocate()
  }

  private static func deinitialize<Value>(_ type: Value.Type, _ place: UnsafeMutableRawPointer) {
    place.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
  }

  /// Where the values stand: for use as long as somebody holds the `RunValues`.
  struct Places: @unchecked Sendable {
    // Safe to share: see `RunValues`.
    fileprivate let bytes: UnsafeMutableRawPointer
    fileprivate let isFilled: UnsafeMutablePointer<Bool>
    /// In the memory of the list of slots, which nobody changes while the values are there.
    fileprivate let table: UnsafePointer<SlotList.Slot>?

    func isFilled(_ slot: Int32) -> Bool { slot < 0 || isFilled[Int(slot)] }

    /// - Precondition: it was stored.
    func value<Value>(at slot: Int32, as type: Value.Type) -> Value {
      bytes(of: slot).assumingMemoryBound(to: Value.self).pointee
    }

    func store<Value>(_ value: consuming Value, at slot: Int32) {
      guard slot >= 0 else { return }
      let place = bytes(of: slot).assumingMemoryBound(to: Value.self)
      if isFilled[Int(slot)] {
        // An operation that is tried again.
        place.pointee = value
      } else {
        place.initialize(to: value)
        isFilled[Int(slot)] = true
      }
    }

    private func bytes(of slot: Int32) -> UnsafeMutableRawPointer {
      guard slot >= 0, let table else { return bytes }
      return bytes + table[Int(slot)].offset
    }
  }
}
