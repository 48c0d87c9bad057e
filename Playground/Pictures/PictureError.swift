/// The reason why a picture cannot be shown, worded as the end of a sentence.
public struct PictureError: Error, Sendable, Hashable, CustomStringConvertible {
  public let description: String

  init(_ description: String) { self.description = description }
}
