/// The flags with which a task was made.
public struct TaskFlags: Sendable, Hashable {
  private let bits: UInt32

  public init(bits: UInt32) { self.bits = bits }

  /// The priority, with the values of `TaskPriority`.
  public var priority: UInt8 { UInt8(truncatingIfNeeded: bits >> 8) }
  /// Whether the task is a child of the task that made it.
  var isChild: Bool { bits & 1 << 24 != 0 }
}
