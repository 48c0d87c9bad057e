/// An error in a source: what is wrong, where, and how to fix it.
public struct Diagnostic: Error, Sendable, CustomStringConvertible {
  /// The problem, as a clause without a full stop.
  public let message: String
  /// The range of the error in the source.
  public let range: SourceRange
  /// The source that contains the error.
  public let source: Source
  /// The fix, for example the most similar valid name.
  public let hint: String?
  /// Whether more text could correct it, for example after an open brace or a comma at the end.
  public let isUnfinished: Bool

  /// Creates a finding at a place in a source.
  public init(
    _ message: String, at range: SourceRange, in source: Source, hint: String? = nil,
    isUnfinished: Bool = false
  ) {
    self.message = message
    self.range = range
    self.source = source
    self.hint = hint
    self.isUnfinished = isUnfinished
  }

  /// Creates a finding about an unknown name. The hint is the most similar known name, or `hint` if no name is similar.
  public init(
    _ message: String, at range: SourceRange, in source: Source, unknown name: String,
    among known: some Sequence<String>, otherwise hint: String? = nil
  ) {
    let near = nearest(to: name, among: known)
    self.init(message, at: range, in: source, hint: near.map { "did you mean “\($0)”?" } ?? hint)
  }

  /// The line and column where the finding starts.
  public var location: SourceLocation { source.location(of: range) }

  /// The text that ``rendered()`` returns.
  public var description: String { rendered() }
}
