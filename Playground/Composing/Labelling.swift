import PlaygroundLanguage

/// Gives labels to the steps of a list that have none, and to the copies that a count makes.
///
/// Labels that somebody wrote come first, wherever they stand: they are claimed before any is
/// generated, and a generated one that is taken gets the next free number.
struct Labelling {
  /// The step that has the label; `claimed` where the step, or the steps of a count, come later.
  private var indices: [String: Int] = [:]
  private var nextNumber: [String: Int] = [:]

  private static let claimed = -1

  /// Keeps a label that somebody wrote; false where it was written before.
  mutating func claim(_ label: String) -> Bool {
    indices.updateValue(Self.claimed, forKey: label) == nil
  }

  /// Gives the step at `index` the label that was claimed for it.
  mutating func give(_ label: String, to index: Int) { indices[label] = index }

  /// Gives the step at `index` the label, unless it is taken.
  mutating func giveIfFree(_ label: String, to index: Int) -> Bool {
    guard indices[label] == nil else { return false }
    indices[label] = index
    return true
  }

  /// `stem` itself, or with the next free number if it is taken.
  mutating func generate(_ stem: String, for index: Int) -> String {
    giveIfFree(stem, to: index) ? stem : number(stem, from: 2, for: index)
  }

  /// `stem` with the next free number.
  mutating func number(_ stem: String, from first: Int = 1, for index: Int) -> String {
    var number = max(nextNumber[stem] ?? first, first)
    while true {
      let label = "\(stem)-\(number)"
      number += 1
      if giveIfFree(label, to: index) {
        nextNumber[stem] = number
        return label
      }
    }
  }

  /// The step that has the label.
  func index(of label: String) -> Int? {
    guard let index = indices[label], index != Self.claimed else { return nil }
    return index
  }
}
