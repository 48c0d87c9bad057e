/// The width of text in a picture, estimated without the font.
///
/// The widths are those of DejaVu Sans, which is among the widest fonts that programs use for `sans-serif`. With
/// another font there is more space, and nothing overlaps.
enum PictureText {
  static func width(_ text: String, size: Double, isBold: Bool = false) -> Double {
    text.reduce(0) { $0 + width($1) } * size * (isBold ? 1.12 : 1)
  }

  /// As a fraction of the font's size.
  private static func width(_ character: Character) -> Double {
    guard let ascii = character == "\u{A0}" ? 0x20 : character.asciiValue else {
      // Letters beyond ASCII are about as wide as others. Characters that take two columns in a terminal are wider.
      return TerminalText.width(String(character)) > 1 ? 1.25 : character == "…" ? 1 : 0.7
    }
    return switch ascii {
    case 0x20, 0x21, 0x27, 0x2C, 0x2E, 0x2F, 0x3A, 0x3B, 0x49, 0x4A, 0x69, 0x6A, 0x6C, 0x7C: 0.34
    case 0x28, 0x29, 0x2D, 0x5B, 0x5D, 0x66, 0x72, 0x74: 0.42
    case 0x22, 0x63, 0x6B, 0x73, 0x76, 0x78, 0x79, 0x7A: 0.59
    case 0x25, 0x40, 0x4D, 0x57, 0x6D: 0.98
    case 0x2B, 0x3C, 0x3D, 0x3E, 0x77, 0x7E, 0x23, 0x4F, 0x51: 0.84
    case 0x41...0x5A: 0.73
    default: 0.64
    }
  }

  /// The text. If it is wider than `room`, it is cut and ends with a sign that says so.
  static func fit(_ text: String, _ room: Double, size: Double, isBold: Bool = false) -> String {
    guard width(text, size: size, isBold: isBold) > room else { return text }
    let sign = "…"
    var left = room - width(sign, size: size, isBold: isBold)
    var result = ""
    for character in text {
      left -= width(String(character), size: size, isBold: isBold)
      guard left >= 0 else { break }
      result.append(character)
    }
    return result + sign
  }

  /// The text in lines, broken between words. If there are more than `most` lines, the last line says so.
  static func wrap(_ text: String, _ room: Double, size: Double, lines most: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ") {
      let longer = line.isEmpty ? String(word) : line + " " + word
      if line.isEmpty || width(longer, size: size) <= room {
        line = longer
      } else {
        lines.append(line)
        line = String(word)
      }
    }
    lines.append(line)
    if lines.count > most {
      lines[(most - 1)...] = [lines[most - 1] + " …"]
    }
    return lines.map { fit($0, room, size: size) }
  }

  /// The text on one line, without unprintable characters.
  static func printable(_ text: String) -> String { TerminalText.printable(text, style: .unicode) }
}
