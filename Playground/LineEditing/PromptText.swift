/// The prompt in readline's format. Text that takes no space on the screen is enclosed in `\001` and `\002`. Otherwise
/// readline would include it in the width of the line.
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

/// The escape sequence (`ESC [ … letter`) at the start of the text.
private func controlSequence(at text: Substring.UnicodeScalarView) -> Substring.UnicodeScalarView? {
  guard text.starts(with: "\u{1B}[".unicodeScalars) else { return nil }
  let body = text.dropFirst(2)
  guard let final = body.firstIndex(where: { ("@"..."~").contains($0) }) else { return nil }
  return text[...final]
}
