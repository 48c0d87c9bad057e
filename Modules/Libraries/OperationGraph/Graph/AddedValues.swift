/// Storage for the values of operations that were added while the graph ran. Each piece of memory is at least as large
/// as all earlier ones together. So there are few pieces, and no value ever moves.
final class AddedValues {
  typealias Places = RunValues.Places

  /// Where the values that existed from the start are stored, and how many there are.
  let first: Places
  var firstCount: Int { initial.count }
  /// Kept alive, because the first places refer to its memory.
  private let initial: SlotList
  private var pieces: [UnsafeMutablePointer<Places>] = []
  private var tables: [UnsafeMutablePointer<SlotList.Slot>] = []
  private var tableCount = 0
  private var tableCapacity = 0
  /// The offset up to which the last piece has room.
  private var lastOffset = 0
  private var slotLimit = 0
  private var alignment = 0
  private var filled: [(flags: UnsafeMutablePointer<Bool>, count: Int)] = []

  init(after first: Places, _ slots: SlotList) {
    self.first = first
    initial = slots
    // Later places refer to this copy as `earlier`.
    let piece = UnsafeMutablePointer<Places>.allocate(capacity: 1)
    piece.initialize(to: first)
    pieces.append(piece)
  }

  func extend(_ places: Places, from old: SlotList, to slots: SlotList) -> Places {
    let table = extendTable(slots)
    if slots.size <= lastOffset, slots.count <= slotLimit, slots.alignment <= alignment {
      return Places(
        bytes: places.bytes, isFilled: places.isFilled, table: table, earlier: places.earlier,
        firstSlot: places.firstSlot, firstOffset: places.firstOffset)
    }
    alignment = slots.alignment
    // A multiple of the alignment, so that an offset that is aligned is also aligned in the piece.
    let firstOffset = old.size & ~(alignment - 1)
    let room = max(slots.size - firstOffset, old.size, 1_024)
    let count = max(slots.count - old.count, old.count, 16)
    lastOffset = firstOffset + room
    slotLimit = old.count + count
    let flags = UnsafeMutablePointer<Bool>.allocate(capacity: count)
    flags.initialize(repeating: false, count: count)
    filled.append((flags, count))
    if pieces.count > 1 || places.firstSlot > 0 {
      let piece = UnsafeMutablePointer<Places>.allocate(capacity: 1)
      piece.initialize(to: places)
      pieces.append(piece)
    }
    return Places(
      bytes: remember(.allocate(byteCount: room, alignment: alignment)), isFilled: flags,
      table: table, earlier: pieces.last.map { UnsafePointer($0) },
      firstSlot: Int32(old.count), firstOffset: firstOffset)
  }

  private var memory: [UnsafeMutableRawPointer] = []

  private func remember(_ bytes: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    memory.append(bytes)
    return bytes
  }

  /// A table of all slots. Existing entries are never written again.
  private func extendTable(_ slots: SlotList) -> UnsafePointer<SlotList.Slot> {
    if slots.count > tableCapacity {
      tableCapacity = 2 * slots.count
      let table = UnsafeMutablePointer<SlotList.Slot>.allocate(capacity: tableCapacity)
      for (index, slot) in slots.slots.enumerated() { (table + index).initialize(to: slot) }
      tables.append(table)
    } else if let table = tables.last {
      for index in tableCount..<slots.count { (table + index).initialize(to: slots.slots[index]) }
    }
    tableCount = slots.count
    return UnsafePointer(tables[tables.count - 1])
  }

  /// Frees the memory. Slots are trivial, so they need no deinitialization before.
  func deallocate() {
    for bytes in memory { bytes.deallocate() }
    for (flags, _) in filled { flags.deallocate() }
    for table in tables { table.deallocate() }
    for piece in pieces { piece.deallocate() }
  }
}
