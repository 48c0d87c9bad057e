/// A result of a suite, as text and as rows of a table.
public protocol Measurement: CustomStringConvertible, Sendable {
  /// Whether the result is worse than its target.
  var isMissed: Bool { get }
  var rows: [Row] { get }
}

/// A row of the table that `--markdown` prints.
public struct Row: Sendable {
  var what: String
  var measured: String
  var peer = ""
  var peerMeasured = ""
  var ratio = ""
  var target = ""
  var isMissed = false

  static let heading = """
    | what | here | compared with | there | ratio | at most |
    | --- | ---: | --- | ---: | ---: | ---: |
    """

  var markdown: String {
    let limit = isMissed ? "**\(target)**" : target
    return "| \(what) | \(measured) | \(peer) | \(peerMeasured) | \(ratio) | \(limit) |"
  }
}
