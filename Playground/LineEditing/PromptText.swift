/// A prompt as readline wants it: what takes no room on the screen stands between `\001` and `\002`,
/// or readline would count it into the width of the line.
func readlinePrompt(_ prompt: String, color: Bool) -> String {
  var result = ""
  var rest = prompt.unicodeScalars[...]
  while let scalar = rest.first {
    if let sequence = controlSequence(at: rest) {
      if color { result += "\u{1}\(String(sequence))\u{2}" }
      rest = rest[sequence.endIndex...]
    } else {
      result.unicodeScalars.append(scalar)
      rest.removeFirst()
    }
  }
  return result
}

/// The escape sequence (`ESC [ … letter`) that the text starts with.
private func controlSequence(at text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView? {
  guard text.starts(with: "\u{1B}[".unicodeScalars) else { return nil }
  let body = text.dropFirst(2)
  guard let final = body.firstIndex(where: { ("@"..."~").contains($0) }) else { return nil }
  return text[...final]
}
