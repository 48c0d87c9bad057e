/// What a task was made as.
public struct TaskFlags: Sendable, Hashable {
  private let bits: UInt32

  public init(bits: UInt32) { self.bits = bits }

  /// As in `TaskPriority`.
  public var priority: UInt8 { UInt8(truncatingIfNeeded: bits >> 8) }
  /// Whether it belongs to a task group.
  public var isInGroup: Bool { bits & 1 << 26 != 0 }
  /// Whether it was made by `async let`.
  public var isOfAsyncLet: Bool { bits & 1 << 28 != 0 }
}
