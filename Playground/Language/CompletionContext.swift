/// What is being written at the cursor, for completion: told from the text before it.
///
/// It knows no pattern, plugin or file; it says what kind of thing can stand here, and of whom. Any
/// text has a context: what makes no sense has ``Kind/nothing``.
public struct CompletionContext: Sendable, Hashable {
  /// What can stand at the cursor.
  public enum Kind: Sendable, Hashable {
    /// The beginning of a statement: a command, or an expression.
    case statement
    /// A pattern, a step or a named list.
    case expression
    /// What a call gives a pattern: a named list.
    case body(callee: String)
    /// A parameter's name; those in `given` are there already.
    case argumentName(callee: String, given: [String])
    case argumentValue(callee: String, argument: String)
    /// A label behind `after`: the steps before it in the innermost open list.
    case label([String])
    /// A step option's name; the pattern is the innermost one that is open.
    case stepOptionName(pattern: String?, given: [String])
    case stepOptionValue(pattern: String?, option: String)
    /// A plugin that can be loaded, by name or path.
    case plugin
    /// A plugin that is loaded.
    case loadedPlugin
    case helpTopic
    /// A file's path.
    case file
    /// A file's path, or an option, of `trace`.
    case traceWord(subcommand: String)
    /// What stands behind `trace export --format`.
    case traceFormat
    /// A bound name of a list.
    case list
    /// A pattern to compare.
    case pattern
    case runNumber
    case jobNumber
    /// A label of the last run, below the steps in `parent`.
    case stepPath(parent: [String])
    /// The name of a row of the last comparison.
    case comparedName
    /// The right side of an expectation about this.
    case expectedValue(of: String)
    case settingName
    case settingValue(of: String)
    case nothing
  }

  /// What can stand at the cursor.
  public let kind: Kind
  /// The words of the grammar that can stand there as well.
  public let keywords: [String]
  /// What of it is written already; without its quote, if it has one.
  public let text: String
  /// Where ``text`` stands; it ends at the cursor.
  public let range: SourceRange
  /// Whether the cursor is in a string.
  public let isQuoted: Bool

  /// The context at the end of `text`, which may go over several lines.
  ///
  /// - Complexity: O(length).
  public init(textBeforeCursor text: String) {
    let source = Source(name: "", text: text)
    let scan = CompletionScan(source)
    let place: (kind: Kind, keywords: [String])
    switch scan.cursor {
    case .nowhere: place = (.nothing, [])
    case .word: place = scan.place
    case .string:
      // In a string stand paths, labels and rows of comparisons; any other text is anybody's.
      place =
        switch scan.place.kind {
        case .body("read"), .body("write"): (.file, [])
        case .label, .stepPath, .comparedName, .file, .plugin, .traceWord: (scan.place.kind, [])
        default: (.nothing, [])
        }
    }
    kind = place.kind
    keywords = place.keywords
    range = scan.partial
    self.text = source.text(scan.partial)
    isQuoted = scan.cursor == .string
  }
}
