import Foundation
import LineEditing
import TimingTrace

/// The width, characters and colours that the output can use.
struct TerminalStyle {
  /// The width of timelines and tables, in columns: 100 if neither a setting nor a terminal determines it.
  let width: Int
  /// The width that sentences must fit in. Nil if there is no limit, as in a pipe.
  let textWidth: Int?
  let isUnicode: Bool
  let color: Bool

  init(_ settings: Settings, environment: [String: String]) {
    textWidth = settings.width ?? Self.width(of: STDOUT_FILENO)
    width = textWidth ?? 100
    isUnicode = Self.isUnicode(environment)
    color = settings.color
  }

  /// The columns of the terminal behind a descriptor. Nil if it is not a terminal.
  static func width(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return max(Int(size.ws_col), 20)
  }

  /// The lines of the terminal behind standard output. 24 if that is unknown.
  static var windowHeight: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
    return Int(size.ws_row)
  }

  /// Whether the locale uses Unicode. The first variable that is set decides.
  static func isUnicode(_ environment: [String: String]) -> Bool {
    for variable in ["LC_ALL", "LC_CTYPE", "LANG"] {
      guard let locale = environment[variable], !locale.isEmpty else { continue }
      let name = locale.uppercased()
      return name.contains("UTF-8") || name.contains("UTF8")
    }
    return true
  }
}

extension Timeline {
  func render(_ style: TerminalStyle, height: Int = 40) -> String {
    render(width: style.width, height: height, style: style.characters, color: style.color)
  }
}

extension TerminalStyle {
  var characters: Timeline.Style { isUnicode ? .unicode : .ascii }

  /// The sign for text that is left out.
  var ellipsis: String { isUnicode ? "…" : "..." }

  /// The sentences, broken between words at the width of the window.
  func wrapped(_ text: String) -> String { Prose.wrap(text, to: textWidth, hanging: 2) }

  /// The lines, each shortened to the width of the window.
  func shortened(_ text: String) -> String {
    guard let textWidth else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { TerminalText.fit(String($0), textWidth, style: characters) }.joined(separator: "\n")
  }
}

extension Comparison {
  func table(_ style: TerminalStyle) -> String {
    table(width: style.width, style: style.characters, color: style.color)
  }

  func boxPlot(_ style: TerminalStyle) -> String? {
    boxPlot(width: style.width, style: style.characters, color: style.color)
  }

  func stepTable(of name: String, _ style: TerminalStyle) -> String? {
    stepTable(of: name, width: style.width, style: style.characters, color: style.color)
  }
}

extension Divergence {
  func text(_ names: (first: String, second: String), _ style: TerminalStyle) -> String {
    text(names, width: style.width, style: style.characters, color: style.color)
  }
}
