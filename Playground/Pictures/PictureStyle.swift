/// A way of drawing pictures in a terminal.
public enum PictureStyle: String, Sendable, CaseIterable {
  /// The picture itself, with kitty's graphics protocol.
  case kitty
  /// Two pixels per character, in 24-bit colour.
  case blocks
  /// Two pixels per character, in 256 colours.
  case colors
  /// One shade per character, in ASCII.
  case ascii

  /// The best style that the terminal certainly supports, according to its environment variables. The terminal is not
  /// queried, because its reply would mix with the user's input.
  ///
  /// - Parameters:
  ///   - isUnicode: whether the locale's character set is Unicode.
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

/// The properties of a terminal, according to its environment variables.
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
    // The terminal around a multiplexer does not matter, because a multiplexer does not pass pictures on.
    guard !has("TMUX"), !has("STY"), !name.hasPrefix("tmux"), !name.hasPrefix("screen") else {
      return false
    }
    // Konsole has supported the protocol since version 22.04.
    let konsole = environment["KONSOLE_VERSION"].flatMap { Int($0) } ?? 0
    return ["xterm-kitty", "xterm-ghostty"].contains(name) || has("KITTY_WINDOW_ID")
      || ["ghostty", "WezTerm"].contains(program) || konsole >= 220_400
  }

  var hasTrueColor: Bool {
    ["truecolor", "24bit"].contains(environment["COLORTERM"]?.lowercased() ?? "")
      || name.hasSuffix("-direct") || ["iTerm.app", "vscode"].contains(program)
  }
}
