/// Why something cannot be drawn, or read.
public struct DrawingError: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
