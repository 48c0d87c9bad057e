/// A piece of Swift code, and the place where it was typed.
public struct SwiftPiece: Hashable, Sendable {
  /// The name of the text that contains it: a path, or `prompt`.
  public var file: String
  /// The line of its first byte, from 1.
  public var line: Int
  /// The column of its first byte, in bytes, from 1.
  public var column: Int
  public var code: String

  public init(file: String, line: Int, column: Int, code: String) {
    (self.file, self.line, self.column, self.code) = (file, line, column, code)
  }

  /// The line before generated code that counts as the line where the piece was typed.
  public var directive: String {
    "#sourceLocation(file: \"\(Self.name(of: file))\", line: \(line))"
  }

  /// Its text in a generated source file. The compiler reports a finding in the piece at the place where the piece was
  /// typed.
  public var located: String {
    """
    \(directive)
    \(String(repeating: " ", count: column - 1))\(code)
    #sourceLocation()

    """
  }

  /// The name of a file in generated code. A character that cannot appear there is replaced.
  public static func name(of file: String) -> String {
    String(file.map { $0 == "\"" || $0 == "\\" || $0.isNewline ? "_" : $0 })
  }
}
