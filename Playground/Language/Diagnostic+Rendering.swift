extension Diagnostic {
  /// The maximum width of the line that is shown, in columns. Of a longer line, only an excerpt is shown.
  private static let widest = 120
  private static let narrowest = 30

  /// The finding as text: the place, the line, a caret and the hint.
  ///
  /// The text ends without a newline. A long line is shown as an excerpt around the caret.
  ///
  /// - Parameters:
  ///   - width: the width of the terminal, in columns. Nil if there is none.
  ///   - wrap: breaks a sentence between words, so that it fits in the terminal.
  /// - Complexity: O(length of the line).
  public func rendered(
    width: Int? = nil, wrap: (String) -> String = { $0 }
  ) -> String {
    let place = location
    var lines = [wrap("\(source.name):\(place.line):\(place.column): error: \(message)")]
    let room = width.map { min(max($0 - 2, Self.narrowest), Self.widest) } ?? Self.widest
    let (excerpt, caret) = excerptAndCaret(room)
    if !excerpt.isEmpty {
      lines.append("  " + excerpt)
      lines.append("  " + caret)
    }
    if let hint { lines.append(wrap("  " + hint)) }
    return lines.joined(separator: "\n")
  }

  private func excerptAndCaret(_ room: Int) -> (String, String) {
    let line = source.lineRange(source.lineIndex(at: range.start))
    let start = min(range.start, line.end)
    var before = Array(source.text(SourceRange(line.start, start)))
    var marked = Array(source.text(SourceRange(start, min(range.end, line.end))))
    var after = Array(source.text(SourceRange(min(range.end, line.end), line.end)))
    if before.count + marked.count + after.count > room {
      before = Self.shortened(before, to: room / 3, keepingEnd: true)
      marked = Self.shortened(marked, to: room / 3, keepingEnd: false)
      after = Self.shortened(after, to: room / 3, keepingEnd: false)
    }
    let excerpt = String((before + marked + after).map(Self.visible))
    // A tab is copied below a tab, so that the caret is in the right place at any tab width.
    let indent = before.map { $0 == "\t" ? "\t" : String(repeating: " ", count: $0.columns) }
    let tail = marked.dropFirst().reduce(max(0, (marked.first?.columns ?? 1) - 1)) {
      $0 + $1.columns
    }
    return (excerpt, indent.joined() + "^" + String(repeating: "~", count: tail))
  }

  private static func shortened(
    _ characters: [Character], to count: Int, keepingEnd: Bool
  ) -> [Character] {
    if characters.count <= count { return characters }
    return keepingEnd
      ? ["…"] + characters.suffix(count - 1) : characters.prefix(count - 1) + ["…"]
  }

  /// Shows a placeholder for a control character, which would move the terminal's cursor.
  private static func visible(_ character: Character) -> Character {
    guard let scalar = character.unicodeScalars.first, character != "\t" else { return character }
    return scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? "\u{FFFD}" : character
  }
}

extension Character {
  /// The approximate number of terminal columns that the character takes.
  fileprivate var columns: Int {
    guard let scalar = unicodeScalars.first else { return 0 }
    switch scalar.value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 2
    default:
      let properties = scalar.properties
      switch properties.generalCategory {
      case .nonspacingMark, .enclosingMark, .format: return 0
      default: return properties.isEmojiPresentation ? 2 : 1
      }
    }
  }
}
