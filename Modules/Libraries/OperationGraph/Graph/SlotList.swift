/// The layout of the values of a run: one slot after another, each of the size of its value.
struct SlotList: Sendable {
  struct Slot: Sendable {
    /// The distance from the start of all values, in bytes.
    let offset: Int
    let type: any Sendable.Type
  }

  private(set) var slots: [Slot] = []
  /// The size of all values, in bytes.
  private(set) var size = 0
  private(set) var alignment = 1

  var count: Int { slots.count }

  mutating func append<Value: Sendable>(_ type: Value.Type) -> Int32 {
    let alignment = MemoryLayout<Value>.alignment
    let offset = (size + alignment - 1) & ~(alignment - 1)
    defer { slots.append(Slot(offset: offset, type: type)) }
    size = offset + MemoryLayout<Value>.size
    self.alignment = max(self.alignment, alignment)
    return Int32(truncatingIfNeeded: slots.count)
  }

  /// Whether the slot holds values of this type.
  func holds(_ type: any Any.Type, at slot: Int32) -> Bool {
    slot < 0 || slots.indices.contains(Int(slot)) && slots[Int(slot)].type == type
  }
}
