/// A way of drawing pictures in a terminal.
public enum PictureStyle: String, Sendable, CaseIterable {
  /// The picture itself, by kitty's graphics protocol.
  case kitty
  /// Two pixels a character, in 24-bit colour.
  case blocks
  /// Two pixels a character, in 256 colours.
  case colors
  /// A shade a character, in ASCII.
  case ascii

  /// The best way that a terminal is sure to know, told from what it says in the environment: it is not
  /// asked, since the answer would land in what somebody types.
  ///
  /// - Parameters:
  ///   - isUnicode: whether the locale's characters are.
  ///   - hasColor: whether colours are wanted.
  public init(environment: [String: String], isUnicode: Bool, hasColor: Bool) {
    let terminal = Terminal(environment)
    self =
      if !hasColor || !isUnicode || terminal.isPlain {
        .ascii
      } else if terminal.hasKittyGraphics {
        .kitty
      } else if terminal.hasTrueColor {
        .blocks
      } else {
        .colors
      }
  }
}

/// What a terminal tells of itself.
private struct Terminal {
  private let environment: [String: String]
  private let name: String
  private let program: String

  init(_ environment: [String: String]) {
    self.environment = environment
    name = environment["TERM"] ?? ""
    program = environment["TERM_PROGRAM"] ?? ""
  }

  private func has(_ variable: String) -> Bool { !(environment[variable] ?? "").isEmpty }

  var isPlain: Bool {
    ["", "dumb", "unknown", "ansi"].contains(name) || name.hasPrefix("vt")
  }

  var hasKittyGraphics: Bool {
    // What a multiplexer runs in is no help: it lets no pictures through.
    guard !has("TMUX"), !has("STY"), !name.hasPrefix("tmux"), !name.hasPrefix("screen") else {
      return false
    }
    // Konsole has had them since version 22.04.
    let konsole = environment["KONSOLE_VERSION"].flatMap { Int($0) } ?? 0
    return ["xterm-kitty", "xterm-ghostty"].contains(name) || has("KITTY_WINDOW_ID")
      || ["ghostty", "WezTerm"].contains(program) || konsole >= 220_400
  }

  var hasTrueColor: Bool {
    ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased() ?? "")
      || name.hasSuffix("-direct") || ["iTerm.app", "vscode"].contains(program)
  }
}
