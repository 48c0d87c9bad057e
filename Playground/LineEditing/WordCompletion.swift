/// One way to complete the typed text: a text that replaces the word before the cursor.
public struct WordCompletion: Sendable, Hashable {
  /// The text that replaces the word.
  public var text: String
  /// The start of the word: an offset in UTF-8 bytes into the text to complete.
  public var start: Int
  /// The text after the word if this is the only completion: `" "`, `"("`, `": "`, `"/"` or nothing.
  public var suffix: String

  public init(_ text: String, replacingFrom start: Int, suffix: String = "") {
    self.text = text
    self.start = start
    self.suffix = suffix
  }
}

/// Completions in the form that readline expects: each match is the *whole* line up to the cursor. The word can
/// therefore start anywhere and contain any character.
struct CompletionMatches: Sendable {
  /// The completions to choose from, without duplicates, in the order given.
  private(set) var candidates: [WordCompletion] = []
  /// The line up to the cursor, as it reads with each candidate.
  private(set) var lines: [String] = []

  /// Creates an empty set of matches.
  init() {}

  /// - Parameters:
  ///   - completions: their offsets count from the start of the block.
  ///   - head: the line up to the cursor.
  ///   - tail: the line after the cursor. A suffix that `tail` starts with is not repeated.
  ///   - lineStart: the offset of the line in its block, in UTF-8 bytes.
  init(_ completions: [WordCompletion], head: String, tail: String, lineStart: Int) {
    var seen: Set<String> = []
    for completion in completions {
      let start = completion.start - lineStart
      // A word that starts on an earlier line or inside a character cannot be replaced.
      guard start >= 0, start <= head.utf8.count,
        let kept = String(head.utf8.prefix(start)),
        seen.insert("\(start) \(completion.text)").inserted
      else { continue }
      candidates.append(completion)
      lines.append(kept + completion.text)
    }
    if candidates.count == 1 {
      let suffix = candidates[0].suffix
      let stands = !suffix.isEmpty && tail.hasPrefix(suffix.trimmingTrailingSpaces())
      if !stands { lines[0] += suffix }
    }
  }

  /// The array that readline expects: the common prefix of all lines, then each line. If there is only one line, the
  /// array contains only that line.
  var readlineMatches: [String] {
    guard lines.count > 1 else { return lines }
    return [commonPrefix] + lines
  }

  private var commonPrefix: String {
    guard var common = lines.first.map({ Array($0.unicodeScalars) }) else { return "" }
    for line in lines.dropFirst() {
      let shared = zip(common, line.unicodeScalars).prefix { $0 == $1 }.count
      common.removeSubrange(shared...)
    }
    var prefix = String.UnicodeScalarView()
    prefix.append(contentsOf: common)
    return String(prefix)
  }
}

extension String {
  fileprivate func trimmingTrailingSpaces() -> Substring {
    var trimmed = self[...]
    // If a suffix consists of spaces only, one space remains.
    while trimmed.count > 1, trimmed.last == " " { trimmed.removeLast() }
    return trimmed
  }
}
