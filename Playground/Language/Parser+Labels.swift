extension Parser {
  /// Rewords the error in a step if it is in a label that needs quotes, such as `my label: sleep 1ms`.
  ///
  /// - Parameter start: where the step starts in the source.
  mutating func rewordErrorInLabel(from start: Int) {
    guard let last = diagnostics.last, let text = unquotedLabel(from: start) else { return }
    let label = SourceRange(start, start + text.utf8.count)
    guard (label.start...label.end).contains(last.range.start) else { return }
    let reason =
      text.contains(where: \.isWhitespace)
      ? "there is a space in it"
      : text.first?.isNumber == true ? "it begins with a digit" : nil
    diagnostics[diagnostics.count - 1] =
      if let reason {
        Diagnostic(
          "“\(text)” is not a label: \(reason)", at: label, in: source,
          hint: "write: \"\(text)\": …")
      } else {
        Diagnostic(
          last.message, at: last.range, in: source,
          hint: "a label that contains it needs quotes: \"\(text)\": …")
      }
  }

  /// The text from `start` to the next colon. Nil if it needs no quotes, or if it is more than a label.
  private func unquotedLabel(from start: Int) -> String? {
    let bytes = source.bytes[start...].prefix { !Self.endsLabel.contains($0) }
    guard source.bytes[bytes.endIndex...].first == UInt8(ascii: ":") else { return nil }
    let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
    let isPlain = words.joined().allSatisfy { $0.isLetter || $0.isNumber || "_-.".contains($0) }
    guard let first = words.first, words.count > 1 || !isPlain || first.first?.isNumber == true
    else { return nil }
    // A clause or a literal with a unit belongs to a step before the label.
    let isMore = words.dropFirst().contains { word in
      word == "after" || word == "with" || word.first?.isNumber == true && Int(word) == nil
    }
    return isMore ? nil : words.joined(separator: " ")
  }

  private static let endsLabel = Set(":\n;{}[]()\"\\#,=*&|".utf8)
}
