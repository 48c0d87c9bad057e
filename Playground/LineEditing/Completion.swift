/// One way to go on from what has been typed: a text that takes the place of the word before the
/// cursor.
public struct Completion: Sendable, Hashable {
  /// What the word becomes.
  public var text: String
  /// Where that word starts: an offset in UTF-8 bytes into the text that was to be completed.
  public var start: Int
  /// What follows the word if this is the only completion: `" "`, `"("`, `": "`, `"/"` or nothing.
  public var suffix: String
  /// What it means, for whoever explains completions; the list does not show it.
  public var description: String?

  public init(
    _ text: String, replacingFrom start: Int, suffix: String = "", description: String? = nil
  ) {
    self.text = text
    self.start = start
    self.suffix = suffix
    self.description = description
  }
}

/// Completions brought into the form that readline asks for, in which each match is the *whole* line
/// up to the cursor: so the word may start anywhere and hold any character.
struct CompletionMatches: Sendable {
  /// The completions to choose from, each text once, in the order given.
  private(set) var candidates: [Completion] = []
  /// What the line up to the cursor becomes for each candidate.
  private(set) var lines: [String] = []

  /// None at all.
  init() {}

  /// - Parameters:
  ///   - completions: offsets count from the start of the block.
  ///   - head: the line up to the cursor.
  ///   - tail: the line after the cursor; a suffix that already stands there is not repeated.
  ///   - lineStart: where the line starts in its block, in UTF-8 bytes.
  init(_ completions: [Completion], head: String, tail: String, lineStart: Int) {
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

  /// The array that readline expects: what all have in common, then each; a single one alone.
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
    // All of a suffix that is nothing but spaces counts.
    while trimmed.count > 1, trimmed.last == " " { trimmed.removeLast() }
    return trimmed
  }
}
