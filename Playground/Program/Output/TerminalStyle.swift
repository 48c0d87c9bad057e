import Foundation
import LineEditing
import TimingTrace

/// How wide and how rich the output may be.
struct TerminalStyle {
  /// What pictures have, also where no window tells.
  let width: Int
  /// What sentences have to fit in; nil where they may be as long as they like, as in a pipe.
  let textWidth: Int?
  let isUnicode: Bool
  let color: Bool

  init(_ settings: Settings, environment: [String: String]) {
    textWidth = settings.width ?? Self.width(of: STDOUT_FILENO)
    width = textWidth ?? 100
    isUnicode = Self.isUnicode(environment)
    color = settings.color
  }

  /// The columns of the terminal that a descriptor is, if it is one.
  static func width(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return max(Int(size.ws_col), 20)
  }

  /// The lines of the terminal that standard output is; 24 if it does not say.
  static var windowHeight: Int {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return 24 }
    return Int(size.ws_row)
  }

  /// Whether the locale's characters are Unicode; the first variable that says something counts.
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

  /// What stands for what is left out.
  var ellipsis: String { isUnicode ? "…" : "..." }
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
