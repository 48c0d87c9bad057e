/// Identifies the events of one step, or of one start of a step that starts several times. Unique
/// within a run.
public struct Span: Hashable, Sendable, Comparable {
  public var id: UInt32
  @inlinable
  public init(id: UInt32) { self.id = id }
  /// No span.
  public static let none = Span(id: 0)
  public static func < (left: Span, right: Span) -> Bool { left.id < right.id }
}
