/// What the events of one step, or of one start of it, have in common; unique within a run.
public struct Span: Hashable, Sendable, Comparable {
  public var id: UInt32
  @inlinable
  public init(id: UInt32) { self.id = id }
  /// No span at all.
  public static let none = Span(id: 0)
  public static func < (left: Span, right: Span) -> Bool { left.id < right.id }
}
