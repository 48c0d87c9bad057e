/// Breaks sentences between words at the width of the window, which a terminal does not do.
enum Prose {
  /// The text with no line wider than `width`, if spaces allow it. A continuation line starts below the beginning of
  /// its line, indented by `hanging` more columns.
  ///
  /// - Parameter width: in columns. If it is nil, the text is unchanged.
  static func wrap(_ text: String, to width: Int?, hanging: Int = 0) -> String {
    guard let width else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { wrap(line: String($0), to: width, hanging: hanging) }
      .joined(separator: "\n")
  }

  /// A script whose comments are broken between words.
  ///
  /// - Parameter width: in columns. If it is nil, the script is unchanged.
  static func wrapComments(_ script: String, to width: Int?) -> String {
    guard let width else { return script }
    return script.replacing(/(?m)(?:^# \S.*\n)+/) { comment in
      let lines = comment.output.split(separator: "\n")
      guard lines.contains(where: { $0.count > width }) else { return String(comment.output) }
      let prose = lines.map { $0.dropFirst(2) }.joined(separator: " ")
      return wrap(prose, to: width - 2).split(separator: "\n").map { "# \($0)\n" }.joined()
    }
  }

  private static func wrap(line: String, to width: Int, hanging: Int) -> String {
    guard line.count > width else { return line }
    let margin = line.prefix { $0 == " " }.count
    let words = line.dropFirst(margin).split(separator: " ", omittingEmptySubsequences: false)
    let indent = String(repeating: " ", count: min(margin + hanging, width / 2))
    var lines = [String(repeating: " ", count: margin)]
    var isFresh = true
    for word in words {
      let needed = lines[lines.count - 1].count + (isFresh ? 0 : 1) + word.count
      if isFresh {
        lines[lines.count - 1] += word
      } else if needed <= width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(indent + word)
      }
      isFresh = false
    }
    return lines.joined(separator: "\n")
  }
}

extension String {
  var firstSentence: String {
    firstRange(of: ". ").map { String(self[..<$0.lowerBound]) + "." } ?? self
  }
}
