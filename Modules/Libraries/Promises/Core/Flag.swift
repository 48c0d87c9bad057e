/// The bits of a node's word. Addresses leave the lowest four and the highest nine free.
@usableFromInline
enum Flag {
  /// The result is there.
  @inlinable static var settled: UInt { 1 << 0 }
  /// Somebody has the listeners in hand.
  @inlinable static var busy: UInt { 1 << 1 }
  /// Somebody writes the result, or has decided that there will be none.
  @inlinable static var sealed: UInt { 1 << 2 }
  /// A resolver has been used, or a handler has been run.
  @inlinable static var claimed: UInt { 1 << 3 }
  /// The listeners.
  @inlinable static var list: UInt { 0x007F_FFFF_FFFF_FFF0 }
  /// Somebody has seen to its failure, or will; or it is of no importance.
  @inlinable static var answered: UInt { 1 << 55 }
  /// It is to be cancelled when its last listener is.
  @inlinable static var cancelsUnused: UInt { 1 << 56 }
  /// It is to begin when somebody listens.
  @inlinable static var lazy: UInt { 1 << 57 }
  /// It will be settled as its source, which its adopters have been moved to.
  @inlinable static var forwarded: UInt { 1 << 58 }
  /// It listens in order to be settled in the same way.
  @inlinable static var adopter: UInt { 1 << 59 }
  /// It will never be settled.
  @inlinable static var gone: UInt { 1 << 60 }
  /// The result is a failure.
  @inlinable static var failed: UInt { 1 << 61 }
  /// It was cancelled.
  @inlinable static var cancelled: UInt { 1 << 62 }
  /// Forwarded, and yet it is told, since it has listeners of its own.
  @inlinable static var relayed: UInt { 1 << 63 }
}
