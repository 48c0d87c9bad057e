/// The values of one run. They can be read as long as this object is alive.
///
/// Safe to share: the code that ends an operation writes to the operation's place, and no two writes to a place
/// overlap. Other code reads a place only once it knows that the operation has ended. Calls of `extend` do not overlap,
/// and during a call only its caller reads `places`.
final class RunValues: @unchecked Sendable {
  private(set) var slots: SlotList
  private(set) var places: Places
  /// Stores the values of operations that were added while the graph ran.
  private var added: AddedValues?

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
    let first = added?.first ?? places
    let count = added?.firstCount ?? slots.count
    for (slot, entry) in slots.slots.enumerated() where places.isFilled(Int32(slot)) {
      Self.deinitialize(entry.type, places.bytes(of: Int32(slot)))
    }
    first.bytes.deallocate()
    first.isFilled.deinitialize(count: count).deallocate()
    added?.deallocate()
  }

  private static func deinitialize<Value>(_ type: Value.Type, _ place: UnsafeMutableRawPointer) {
    place.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
  }

  /// Makes room for more values. Existing values stay where they are.
  ///
  /// - Parameter slots: all slots, the existing ones first.
  /// - Complexity: amortised O(new slots).
  func extend(_ slots: SlotList) {
    guard slots.count > self.slots.count else { return }
    let added = added ?? AddedValues(after: places, self.slots)
    self.added = added
    places = added.extend(places, from: self.slots, to: slots)
    self.slots = slots
  }

  /// Where the values are stored. Valid as long as the `RunValues` is alive.
  struct Places: @unchecked Sendable {
    // Safe to share: see `RunValues`.
    let bytes: UnsafeMutableRawPointer
    let isFilled: UnsafeMutablePointer<Bool>
    /// The layout of all slots. Its entries do not change while the values exist.
    let table: UnsafePointer<SlotList.Slot>?
    /// The places of slots before `firstSlot`, if those are stored elsewhere.
    var earlier: UnsafePointer<Places>?
    /// The first slot that is stored here, and the distance of `bytes` from the start of all values.
    var firstSlot: Int32 = 0
    var firstOffset = 0

    func isFilled(_ slot: Int32) -> Bool {
      if slot < firstSlot { return slot < 0 || earlier?.pointee.isFilled(slot) ?? true }
      return isFilled[Int(slot - firstSlot)]
    }

    /// - Precondition: the value was stored.
    func value<Value>(at slot: Int32, as type: Value.Type) -> Value {
      bytes(of: slot).assumingMemoryBound(to: Value.self).pointee
    }

    func store<Value>(_ value: consuming Value, at slot: Int32) {
      guard slot >= firstSlot else {
        if slot >= 0 { earlier?.pointee.store(value, at: slot) }
        return
      }
      let place = bytes(of: slot).assumingMemoryBound(to: Value.self)
      if isFilled[Int(slot - firstSlot)] {
        // The operation runs again, so its old value is replaced.
        place.pointee = value
      } else {
        place.initialize(to: value)
        isFilled[Int(slot - firstSlot)] = true
      }
    }

    fileprivate func bytes(of slot: Int32) -> UnsafeMutableRawPointer {
      if slot < firstSlot, slot >= 0, let earlier { return earlier.pointee.bytes(of: slot) }
      guard slot >= 0, let table else { return bytes }
      return bytes + (table[Int(slot)].offset - firstOffset)
    }
  }
}
