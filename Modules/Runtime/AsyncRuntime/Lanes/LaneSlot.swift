import Synchronization

/// A place where a library keeps its own data for each thread.
///
/// ```swift
/// extension LaneContext {
///   var chains: UnsafeMutablePointer<RunningChains> { self[LaneSlot.chains] }
/// }
/// ```
///
/// On a new thread, all bytes of the slot are zero. The content must allow that: numbers, or
/// optional pointers. A slot exists as long as the process, so make one for each kind of content,
/// in a `static let`.
public struct LaneSlot<Content: BitwiseCopyable>: Sendable {
  let offset: Int

  /// Makes a slot. No other slot shares its bytes.
  public init() { offset = LaneSlots.take(MemoryLayout<Content>.stride) }
}

/// The memory of all slots on a thread.
enum LaneSlots {
  /// Enough for a dozen slots of a few words.
  private static let size = 512
  private static let alignment = MemoryLayout<UInt>.alignment
  private static let taken = Atomic(0)

  static func take(_ count: Int) -> Int {
    let count = (count + alignment - 1) / alignment * alignment
    let offset = taken.add(count, ordering: .relaxed).oldValue
    precondition(offset + count <= size, "More slots were made than a thread has room for")
    return offset
  }

  static func make() -> UnsafeMutableRawPointer {
    let slots = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: alignment)
    slots.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    return slots
  }
}
