/// A step released its completion without calling it.
public struct CompletionDropped: Error, Hashable, CustomStringConvertible {
  /// The label of the step.
  public var step: String

  public init(step: String) { self.step = step }

  public var description: String {
    "“\(step)” released its completion without calling it; call it exactly once on every path"
  }
}
