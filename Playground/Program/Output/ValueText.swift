import AsyncPatterns

/// The value of a run, as it is shown: its beginning, and how much more there is.
struct ValueText {
  let value: Value
  let style: TerminalStyle

  private static let mostLines = 5
  private static let mostElements = 10
  /// Without a terminal, no line is longer than this.
  private static let widest = 1000
  private static let arrow = "→ "

  private var room: Int { max((style.textWidth ?? Self.widest) - Self.arrow.count, 1) }

  /// Nil if there is no value, or only a list of missing values.
  var text: String? {
    switch value {
    case _ where value.hasNoValue: nil
    case .string(let string) where string.contains("\n"): lines(of: string)
    case .string(let string): Self.arrow + line(of: string)
    case .list(let values): Self.arrow + elements(of: values)
    default: Self.arrow + fitted(value.description)
    }
  }

  /// The string in quotes, if it fits. Otherwise its beginning, and how long it is.
  private func line(of string: String) -> String {
    let whole = value.description
    guard whole.count > room else { return whole }
    let size = " (\(string.count.grouped) characters)"
    return whole.prefix(max(room - 1 - size.count, 1)) + "…" + size
  }

  /// The first elements that fit, and how many more there are.
  private func elements(of values: [Value]) -> String {
    func text(_ shown: Int) -> String {
      let left = values.count - shown
      let parts =
        values.prefix(shown).map(\.description) + (left > 0 ? ["… and \(left.grouped) more"] : [])
      return "[\(parts.joined(separator: ", "))]"
    }
    let most = min(values.count, Self.mostElements)
    let fitting = (0...most).last { text($0).count <= room } ?? 0
    // If not even one element fits, its beginning says more than a number.
    return fitting > 0 || values.isEmpty ? text(fitting) : fitted(text(1))
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
    line.count <= room ? line : line.prefix(max(room - 1, 1)) + "…"
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

extension Value {
  /// Whether it is no value, or a list of missing values. An empty list is a value.
  fileprivate var hasNoValue: Bool {
    switch self {
    case .none: true
    case .list(let values): !values.isEmpty && values.allSatisfy(\.hasNoValue)
    default: false
    }
  }
}
