/// The bits of a node's word. Addresses leave the lowest four and the highest nine bits free.
@usableFromInline
enum Flag {
  /// The result has been published.
  @inlinable static var settled: UInt { 1 << 0 }
  /// A thread has taken the list of dependents, or is notifying them.
  @inlinable static var busy: UInt { 1 << 1 }
  /// A thread is writing the result, or has decided that there will be none.
  @inlinable static var sealed: UInt { 1 << 2 }
  /// The resolver has been used, or the handler has been run.
  @inlinable static var claimed: UInt { 1 << 3 }
  /// The address of the latest dependent.
  @inlinable static var list: UInt { 0x007F_FFFF_FFFF_FFF0 }
  /// The node's failure is or will be handled, or does not matter.
  @inlinable static var handled: UInt { 1 << 55 }
  /// The node is cancelled when its last dependent is cancelled.
  @inlinable static var cancelsUnused: UInt { 1 << 56 }
  /// The node's work starts when the first dependent is added.
  @inlinable static var lazy: UInt { 1 << 57 }
  /// The node will be settled like its source, which now notifies the node's adopter directly.
  @inlinable static var forwarded: UInt { 1 << 58 }
  /// The node has no handler: it waits for its source, and is then settled like it.
  @inlinable static var adopter: UInt { 1 << 59 }
  /// The node is abandoned: it will never be settled.
  @inlinable static var gone: UInt { 1 << 60 }
  /// The result is a failure.
  @inlinable static var failed: UInt { 1 << 61 }
  /// The node was cancelled.
  @inlinable static var cancelled: UInt { 1 << 62 }
  /// The node is forwarded, but is also notified of the result, since it has dependents of its own.
  @inlinable static var relayed: UInt { 1 << 63 }
}
