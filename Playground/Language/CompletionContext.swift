/// What can be completed at the cursor, determined from the text before it.
///
/// It knows no patterns, plugins or files. It says which kind of item can be written here, and which name it belongs
/// to. Any text has a context, even a text that is not valid.
public struct CompletionContext: Sendable, Hashable {
  /// The kinds of items that can be written at the cursor.
  public enum Kind: Sendable, Hashable {
    /// The start of a statement: a command or an expression.
    case statement
    /// A pattern, a step or a named list.
    case expression
    /// The body of a call: a named list.
    case body(callee: String)
    /// The name of a parameter; the names in `given` are already written.
    case argumentName(callee: String, given: [String])
    case argumentValue(callee: String, argument: String)
    /// A label after `after`. The value contains the labels of the earlier steps in the innermost open list.
    case label([String])
    /// The name of a step option. `pattern` is the innermost pattern that is open.
    case stepOptionName(pattern: String?, given: [String])
    case stepOptionValue(pattern: String?, option: String)
    /// A plugin to load, by name or path.
    case plugin
    /// A loaded plugin.
    case loadedPlugin
    /// The next word of the topic of `help`; the words in `after` are already written.
    case helpTopic(after: [String])
    /// The path of a file.
    case file
    /// The path of a file, or an option, of `trace`.
    case traceWord(subcommand: String)
    /// The format after `trace export --format`.
    case traceFormat
    /// A name that is bound to a list.
    case list
    /// A name that was defined, in the language or in Swift.
    case definition
    /// A pattern to compare.
    case pattern
    case runNumber
    case jobNumber
    /// A label of a step in the last run, below the steps in `parent`.
    case stepPath(parent: [String])
    /// The name of a row of the last comparison.
    case comparedName
    /// The right side of an expectation about the subject `of`.
    case expectedValue(of: String)
    case settingName
    case settingValue(of: String)
    case nothing
  }

  /// The kind of item that can be written at the cursor.
  public let kind: Kind
  /// The keywords that can be written there too.
  public let keywords: [String]
  /// The part of the item that is already written, without an opening quote.
  public let text: String
  /// The range of ``text``, which ends at the cursor.
  public let range: SourceRange
  /// Whether the cursor is in a string.
  public let isQuoted: Bool

  /// The context at the end of `text`, which may have several lines.
  ///
  /// - Complexity: O(length).
  public init(textBeforeCursor text: String) {
    let source = Source(name: "", text: text)
    let scan = CompletionScan(source)
    let place: (kind: Kind, keywords: [String])
    var range = scan.partial
    switch scan.cursor {
    case .nowhere: place = (.nothing, [])
    case .word: place = scan.place
    case .string:
      // A string may contain a path, a label or the name of a compared row. Any other text cannot be completed.
      place =
        switch scan.place.kind {
        case .body("read"), .body("write"), .body("sh"): (.file, [])
        case .label, .stepPath, .comparedName, .file, .plugin, .traceWord: (scan.place.kind, [])
        default: (.nothing, [])
        }
    }
    if scan.cursor == .string, scan.place.kind == .body(callee: "sh") {
      // Of a shell command, only the last word is a path.
      let word = source.bytes[range.start..<range.end].reversed()
        .prefix { !Self.endsOfShellWords.contains($0) }
      range = SourceRange(range.end - word.count, range.end)
    }
    kind = place.kind
    keywords = place.keywords
    self.range = range
    self.text = source.text(range)
    isQuoted = scan.cursor == .string
  }

  /// The characters that separate the words of a shell command. A path can start after each of them.
  private static let endsOfShellWords = Set(" \t'\"|&;<>()=`".utf8)
}
