import PlaygroundLanguage

/// Assigns labels to the unlabelled steps of a list, and to the copies made by a count.
///
/// Written labels have priority, independent of their position: they are claimed before any label is generated. If a
/// generated label is already used, it gets the next free number.
struct Labelling {
  /// The index of the step with each label, or `claimed` until that step is added. The label of a count stays
  /// `claimed`, since each copy has a label of its own.
  private var indices: [String: Int] = [:]
  private var nextNumber: [String: Int] = [:]

  private static let claimed = -1

  /// - Parameter count: how many steps will have a label.
  init(count: Int) { indices.reserveCapacity(count) }

  /// Claims a written label. Returns false if it was already claimed.
  mutating func claim(_ label: String) -> Bool {
    indices.updateValue(Self.claimed, forKey: label) == nil
  }

  /// Assigns a claimed label to the step at `index`.
  mutating func give(_ label: String, to index: Int) { indices[label] = index }

  /// Assigns the label to the step at `index`. Returns false if the label is already used.
  mutating func giveIfFree(_ label: String, to index: Int) -> Bool {
    // Usually the label is free, and then a single look-up is enough.
    guard let other = indices.updateValue(index, forKey: label) else { return true }
    indices[label] = other
    return false
  }

  /// Returns `stem`, or `stem` with the next free number if it is already used.
  mutating func generate(_ stem: String, for index: Int) -> String {
    giveIfFree(stem, to: index) ? stem : number(stem, from: 2, for: index)
  }

  /// Returns `stem` with the next free number.
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

  /// The index of the step with the label.
  func index(of label: String) -> Int? {
    guard let index = indices[label], index != Self.claimed else { return nil }
    return index
  }
}
