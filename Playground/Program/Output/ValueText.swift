import AsyncPatterns

/// The value of a run, as the prompt shows it: its beginning, and how much more there is.
struct ValueText {
  let value: Value
  let style: TerminalStyle

  private static let mostLines = 5
  private static let mostElements = 10
  private static let arrow = "→ "

  /// Nil if there is no value.
  var text: String? {
    switch value {
    case .none: nil
    case .string(let string) where string.contains("\n"): lines(of: string)
    case .list(let values) where values.count > Self.mostElements:
      Self.arrow
        + fitted("[" + values.prefix(Self.mostElements).map(\.description).joined(separator: ", "))
        + ", … and \(values.count - Self.mostElements) more]"
    default: Self.arrow + fitted(value.description)
    }
  }

  private func lines(of string: String) -> String {
    var all = string.split(separator: "\n", omittingEmptySubsequences: false)
    // A newline at the end starts no further line.
    if all.last == "" { all.removeLast() }
    let shown = all.prefix(Self.mostLines).map { fitted(Self.visible(String($0))) }
    let left = all.count - shown.count
    let more = left > 0 ? ["… and \(left.of("more line"))"] : []
    return Self.arrow + (shown + more).joined(separator: "\n  ")
  }

  /// The beginning of a line, as far as it fits behind the arrow.
  private func fitted(_ line: String) -> String {
    guard let width = style.textWidth, line.count > width - Self.arrow.count else { return line }
    return line.prefix(max(width - Self.arrow.count - 1, 1)) + "…"
  }

  /// The line with a placeholder for each character that would control the terminal.
  private static func visible(_ line: String) -> String {
    guard line.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      return line
    }
    var result = String.UnicodeScalarView()
    for scalar in line.unicodeScalars {
      result.append(
        scalar.properties.generalCategory == .control && scalar != "\t" ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }
}
