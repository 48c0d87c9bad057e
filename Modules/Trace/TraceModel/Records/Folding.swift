/// Combines several steps into one row: steps whose labels differ only by a number (`page-1` … `page-n`), or the starts
/// of one step. It does so only if there are more steps than rows.
package struct Folding {
  package struct Item {
    /// The common name of the members.
    package var name: String
    package var members: [Int]
    /// The number of steps below the members. These steps are not shown.
    package var hidden = 0
  }

  package private(set) var items: [Item] = []

  private struct Key: Hashable {
    let parent: Int?
    let stem: String
    let pattern: String
  }

  /// - Parameter keepsTop: whether steps without a parent are never combined.
  /// - Complexity: O(n log n) in the number of steps.
  package init(_ steps: [StepRecord], room: Int, keepsTop: Bool = false) {
    guard steps.count > room else {
      items = steps.indices.map { Item(name: steps[$0].label, members: [$0]) }
      return
    }
    let keys = steps.map {
      Key(parent: $0.parent, stem: Folding.stem(of: $0.label), pattern: $0.pattern)
    }
    let families = Dictionary(grouping: steps.indices) { keys[$0] }.filter { key, members in
      members.count > 2 && !(keepsTop && key.parent == nil)
    }
    let descendants = Folding.descendants(steps)
    // Folds the largest families first, until there is room for the rest. Among equal families, the earlier one comes
    // first.
    let bySize = families.map { key, members in
      (key: key, rows: members.reduce(0) { $0 + 1 + descendants[$1] }, first: members[0])
    }.sorted { ($1.rows, $0.first) < ($0.rows, $1.first) }
    var folded: Set<Key> = []
    // An estimate: families below a folded one are counted again.
    var left = steps.count
    for family in bySize where left > room {
      folded.insert(family.key)
      left -= family.rows - 1
    }
    var isHidden = Array(repeating: false, count: steps.count)
    for index in steps.indices {
      if let parent = steps[index].parent, isHidden[parent] || folded.contains(keys[parent]) {
        isHidden[index] = true
      }
      guard !isHidden[index] else { continue }
      if folded.contains(keys[index]), let members = families[keys[index]] {
        guard members[0] == index else { continue }
        items.append(
          Item(
            name: keys[index].stem, members: members,
            hidden: members.reduce(0) { $0 + descendants[$1] }))
      } else {
        items.append(
          Item(name: steps[index].label, members: [index]))
      }
    }
  }

  /// The label without the number at its end.
  package static func stem(of label: String) -> String {
    let bytes = label.utf8
    guard let dash = bytes.lastIndex(of: 0x2D), dash != bytes.startIndex else { return label }
    let number = bytes[bytes.index(after: dash)...]
    guard !number.isEmpty, number.allSatisfy({ (0x30...0x39).contains($0) }) else { return label }
    return String(label[..<dash])
  }

  private static func descendants(_ steps: [StepRecord]) -> [Int] {
    var result = Array(repeating: 0, count: steps.count)
    for index in steps.indices.reversed() {
      if let parent = steps[index].parent { result[parent] += 1 + result[index] }
    }
    return result
  }
}
