/// Why a span started, resumed or ended: what happened, and in which span.
///
/// It takes only four bytes, since each queued job carries a cause.
public struct Cause: Hashable, Sendable {
  /// What happened.
  public enum Kind: UInt8, Sendable, CaseIterable {
    /// The span's own code, which kept running since the last event of the span.
    case itself
    /// The other span ended, or it was cancelled and nothing waits for its end any longer.
    case end
    /// A timer of the span fired.
    case timer
    /// The other span gave a permit, or gave its place to this one.
    case permit
    /// The other span woke a thread that was blocked, or a task that was suspended.
    case wakeUp
    /// The other span released the lane or the actor.
    case lane
    /// The other span cancelled this one.
    case cancellation
    /// The code of the other span asked for this event.
    case parent
  }

  /// The kind is in the three bits above the number of the span. The topmost bit marks spans outside runs.
  @usableFromInline let bits: UInt32

  /// - Parameter span: the span of the event; its number is below 2²⁸.
  @inlinable
  public init(_ kind: Kind, _ span: Span) {
    bits = UInt32(kind.rawValue) << 28 | span.id & 0x8FFF_FFFF
  }

  /// - Parameter bits: the bits of another cause.
  init(bits: UInt32) { self.bits = bits }

  /// The span's own code.
  @inlinable public static var itself: Cause { Cause(.itself, Span(id: 0)) }
  /// Code outside any span.
  @inlinable public static var outside: Cause { Cause(.parent, Span(id: 0)) }

  // Three bits have eight values, and there are eight kinds.
  @inlinable public var kind: Kind { Kind(rawValue: UInt8(bits >> 28 & 7)) ?? .itself }
  @inlinable public var span: Span { Span(id: bits & 0x8FFF_FFFF) }
}
