/// Finds the place of a transaction by its hash: an open-addressed table with linear probing.
///
/// Places are never removed one by one. When a transaction has been removed from its line, its place stays here, but
/// no search returns it. All places are removed together in O(1), by starting a new generation. Each slot contains the
/// number of its generation, and only the slots of the current generation count.
struct TransactionTable {
  private struct Slot {
    var generation: UInt32 = 0
    var place: UInt32 = 0
    var hash: UInt64 = 0
  }

  private var slots: ContiguousArray<Slot> = []
  private var generation: UInt32 = 1
  /// The number of used slots in this generation, including those of removed transactions.
  private var used = 0

  /// Whether there is room for one more place. A table is at most half full.
  var hasRoom: Bool { used * 2 < slots.count }

  /// Searches the places with this hash for the one that is wanted.
  ///
  /// - Complexity: O(1) on average.
  @inline(__always)
  func first(_ hash: UInt64, where isWanted: (UInt32) -> Bool) -> UInt32? {
    if slots.isEmpty { return nil }
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: hash) & mask
    while true {
      let slot = slots[index]
      guard slot.generation == generation else { return nil }
      if slot.hash == hash, isWanted(slot.place) { return slot.place }
      index = (index + 1) & mask
    }
  }

  /// Inserts a place. There must be room.
  @inline(__always)
  mutating func insert(_ place: UInt32, _ hash: UInt64) {
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: hash) & mask
    while slots[index].generation == generation { index = (index + 1) & mask }
    slots[index] = Slot(generation: generation, place: place, hash: hash)
    used += 1
  }

  mutating func removeAll() {
    used = 0
    generation &+= 1
    guard generation == 0 else { return }
    // The number has wrapped around: without this reset, old slots would count again.
    slots = ContiguousArray(repeating: Slot(), count: slots.count)
    generation = 1
  }

  /// Removes all places, and makes room for twice `count` places.
  mutating func removeAll(makingRoomFor count: Int) {
    var size = max(slots.count, 16)
    while count * 4 > size { size *= 2 }
    if size > slots.count {
      slots = ContiguousArray(repeating: Slot(), count: size)
      generation = 1
      used = 0
    } else {
      removeAll()
    }
  }
}
