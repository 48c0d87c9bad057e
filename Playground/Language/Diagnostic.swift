/// Something wrong in what was written: what, where, and the way out.
public struct Diagnostic: Error, Sendable, CustomStringConvertible {
  /// What is wrong, as a clause without a full stop.
  public let message: String
  /// Where it is.
  public let range: SourceRange
  /// The text it is in.
  public let source: Source
  /// The way out, for instance the nearest right name.
  public let hint: String?
  /// Whether more text could put it right: an open brace, or a comma at the end.
  public let isUnfinished: Bool

  /// A finding at a place in a source.
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

  /// A finding about a name that is not known, with the nearest of the known ones; `hint` is
  /// the way out where none is near.
  public init(
    _ message: String, at range: SourceRange, in source: Source, unknown name: String,
    among known: some Sequence<String>, otherwise hint: String? = nil
  ) {
    let near = nearest(to: name, among: known)
    self.init(message, at: range, in: source, hint: near.map { "did you mean “\($0)”?" } ?? hint)
  }

  /// The line and column at which it starts.
  public var location: SourceLocation { source.location(of: range) }

  /// The same as ``rendered()``.
  public var description: String { rendered() }
}
