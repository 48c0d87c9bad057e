/// Text in a terminal: the characters that it may contain, and the number of columns that it takes.
package enum TerminalText {
  /// The text on one line, without characters that move the cursor or are invisible. Joined emoji stay joined.
  package static func printable(_ text: String, style: Timeline.Style) -> String {
    var result = ""
    var before: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      defer { before = scalar }
      switch scalar.value {
      case 0x200D where style == .unicode && before.map(joinsEmoji) == true:
        result.unicodeScalars.append(scalar)
      case 0x20..<0x7F: result.unicodeScalars.append(scalar)
      case 0x09, 0x0A, 0x0D: result.append(" ")
      // Control characters, and characters that change the direction of writing.
      case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF:
        result.append("?")
      default:
        if style == .ascii { result.append("?") } else { result.unicodeScalars.append(scalar) }
      }
    }
    return result
  }

  /// Whether a joiner after the character joins emoji.
  private static func joinsEmoji(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isEmoji && !scalar.isASCII || scalar.value == 0xFE0F
  }

  /// The text with its lines and tabs, and with “?” in place of each character that controls the terminal or changes
  /// the direction of writing.
  ///
  /// - Parameter keepsColors: whether escape sequences that set the colour of text are kept.
  package static func harmless(_ text: String, keepsColors: Bool = false) -> String {
    guard text.unicodeScalars.contains(where: isHarmful) else { return text }
    var result = String.UnicodeScalarView()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar == "\u{1B}", keepsColors, let color = colorSequence(at: rest) {
        result.append(scalar)
        result.append(contentsOf: color)
        rest = rest.dropFirst(color.count)
      } else {
        let endsLine = scalar == "\r" && rest.first == "\n"
        result.append(isHarmful(scalar) && !endsLine ? "?" : scalar)
      }
    }
    return String(result)
  }

  private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x09, 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The rest of an escape sequence that sets a colour, if `text` starts with one.
  private static func colorSequence(
    at text: Substring.UnicodeScalarView
  ) -> Substring.UnicodeScalarView? {
    guard text.first == "[" else { return nil }
    let numbers = text.dropFirst().prefix { (0x30...0x39).contains($0.value) || $0 == ";" }
    guard text.dropFirst(1 + numbers.count).first == "m" else { return nil }
    return text.prefix(numbers.count + 2)
  }

  /// The columns that the text takes in a terminal that draws joined emoji as one.
  package static func width(_ text: String) -> Int {
    text.utf8.count == text.unicodeScalars.count
      ? text.utf8.count : text.reduce(0) { $0 + width($1) }
  }

  private static func width(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if character.unicodeScalars.contains(where: { $0.value == 0xFE0F }) { return 2 }
    if first.properties.generalCategory == .nonspacingMark { return 0 }
    switch first.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3,
      0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default: return first.properties.isEmojiPresentation ? 2 : 1
    }
  }

  /// The text, cut to `columns`. A text that was cut ends with a sign that says so.
  package static func fit(_ text: String, _ columns: Int, style: Timeline.Style) -> String {
    guard width(text) > columns else { return text }
    let sign = style == .ascii ? "..." : "…"
    let room = columns - width(sign)
    guard room > 0 else { return String(sign.prefix(max(columns, 0))) }
    var result = ""
    var used = 0
    for character in text {
      let next = width(character)
      guard used + next <= room else { break }
      result.append(character)
      used += next
    }
    return result + sign
  }

  static func pad(_ text: String, to columns: Int) -> String {
    text + String(repeating: " ", count: max(columns - width(text), 0))
  }

  static func padLeft(_ text: String, to columns: Int) -> String {
    String(repeating: " ", count: max(columns - width(text), 0)) + text
  }

  /// The items on as few lines as possible. Items on one line are separated by `separator`.
  static func wrap(
    _ items: [String], separator: String, _ columns: Int, style: Timeline.Style
  ) -> [String] {
    var lines: [String] = []
    for item in items {
      if let last = lines.last, width(last) + width(separator) + width(item) <= columns {
        lines[lines.count - 1] = last + separator + item
      } else {
        lines.append(fit(item, columns, style: style))
      }
    }
    return lines
  }
}
