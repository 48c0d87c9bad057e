// A message is to be read: of very many names it tells the first ones and how many there are.

extension [String] {
  /// The names along a cycle, each after the next; of a long one both ends.
  var alongCycle: String {
    let shown = 6
    let left = count - 2 * shown
    guard left > 1 else { return joined(separator: " after ") }
    return (prefix(shown) + ["… (\(left) more) …"] + suffix(shown)).joined(separator: " after ")
  }

  /// As many as one reads, and how many there are beside them.
  func told(separator: String) -> String {
    let shown = 12
    guard count > shown + 1 else { return joined(separator: separator) }
    return prefix(shown).joined(separator: separator) + "\(separator)and \(count - shown) more"
  }

  var quoted: [String] { map { "“\($0)”" } }
}
