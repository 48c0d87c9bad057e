/// An error that the compiler reports, and its notes.
public struct CompilerMessage: Sendable, Hashable {
  /// The file as it was named to the compiler.
  public var file: String
  public var line: Int
  /// In bytes, from 1.
  public var column: Int
  public var text: String
  public var notes: [String] = []

  /// The errors in what the compiler prints, in order.
  static func errors(in output: String) -> [CompilerMessage] {
    var errors: [CompilerMessage] = []
    // Whether the last message is an error. Only then do its notes matter.
    var isError = false
    for line in output.split(whereSeparator: \.isNewline) {
      guard let match = line.firstMatch(of: /^(.+?):(\d+):(\d+): (error|warning|note): (.*)$/)
      else { continue }
      let text = String(match.5)
      switch match.4 {
      case "note": if isError { errors[errors.count - 1].notes.append(text) }
      case "error":
        isError = true
        errors.append(
          CompilerMessage(
            file: String(match.1), line: Int(match.2) ?? 1, column: Int(match.3) ?? 1, text: text))
      default: isError = false
      }
    }
    return errors
  }
}

/// The reason why Swift code that the user typed could not be compiled.
public enum SnippetError: Error, Sendable {
  /// The compiler has found errors in the code.
  case code([CompilerMessage])
  case other(PluginError)
}
