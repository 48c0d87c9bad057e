// Keeps messages short: a long list shows only the first names and the number of the others.

extension [String] {
  /// The names along a cycle, joined with “after”. A long cycle is shortened to its two ends.
  var alongCycle: String {
    let shown = 6
    let left = count - 2 * shown
    guard left > 1 else { return joined(separator: " after ") }
    return (prefix(shown) + ["… (\(left) more) …"] + suffix(shown)).joined(separator: " after ")
  }

  /// The first names, and the number of the others.
  func listed(separator: String) -> String {
    let shown = 12
    guard count > shown + 1 else { return joined(separator: separator) }
    return prefix(shown).joined(separator: separator) + "\(separator)and \(count - shown) more"
  }

  var quoted: [String] { map { "“\($0)”" } }
}
