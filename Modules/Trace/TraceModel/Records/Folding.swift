#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Combines several steps into one row: steps whose labels differ only by a number (`page-1` … `page-n`), or the starts
/// of one step. It does so only if there are more steps than rows.
package struct Folding {
  package struct Item {
    /// The common name of the members.
    package var name: String
    package var members: StepPositions
    /// The number of steps below the members. These steps are not shown.
    package var hidden = 0
  }

  package private(set) var items: [Item] = []

  private struct Key: Hashable {
    let parent: Int?
    let stem: String
    let pattern: String
  }

  /// Steps of one pattern that have equal keys.
  private struct Family {
    let name: String
    var members: StepPositions = []
  }

  /// - Parameter keepsTop: whether steps without a parent are never combined.
  /// - Complexity: O(n log n) in the number of steps.
  package init(_ steps: [StepRecord], room: Int, keepsTop: Bool = false) {
    guard steps.count > room else {
      items = steps.indices.map { Item(name: steps[$0].label, members: [$0]) }
      return
    }
    var families: [Family] = []
    var numbers: [Key: Int] = [:]
    // The family of each step, as a position among the families.
    var familyOf: [Int32] = []
    familyOf.reserveCapacity(steps.count)
    for index in steps.indices {
      let number: Int
      if index > 0, steps[index].parent == steps[index - 1].parent,
        steps[index].pattern == steps[index - 1].pattern,
        Folding.haveSameStem(steps[index].label, steps[index - 1].label)
      {
        number = Int(familyOf[index - 1])
      } else {
        let key = Key(
          parent: steps[index].parent, stem: Folding.stem(of: steps[index].label),
          pattern: steps[index].pattern)
        number = numbers[key] ?? families.count
        if number == families.count {
          numbers[key] = number
          families.append(Family(name: key.stem))
        }
      }
      families[number].members.append(index)
      familyOf.append(Int32(clamping: number))
    }
    let descendants = Folding.descendants(steps)
    // Folds the largest families first, until there is room for the rest. Among equal families, the earlier one comes
    // first. Families are in the order of their first steps.
    let bySize = families.indices.filter { number in
      let members = families[number].members
      return members.count > 2 && !(keepsTop && steps[members[0]].parent == nil)
    }.map { number in
      (number: number, rows: families[number].members.reduce(0) { $0 + 1 + Int(descendants[$1]) })
    }.sorted { ($1.rows, $0.number) < ($0.rows, $1.number) }
    var isFolded = Array(repeating: false, count: families.count)
    // An estimate: families below a folded one are counted again.
    var left = steps.count
    for family in bySize where left > room {
      isFolded[family.number] = true
      left -= family.rows - 1
    }
    var isHidden = Array(repeating: false, count: steps.count)
    for index in steps.indices {
      if let parent = steps[index].parent, isHidden[parent] || isFolded[Int(familyOf[parent])] {
        isHidden[index] = true
      }
      guard !isHidden[index] else { continue }
      let family = families[Int(familyOf[index])]
      if isFolded[Int(familyOf[index])] {
        guard family.members[0] == index else { continue }
        items.append(
          Item(
            name: family.name, members: family.members,
            hidden: family.members.reduce(0) { $0 + Int(descendants[$1]) }))
      } else {
        items.append(Item(name: steps[index].label, members: [index]))
      }
    }
  }

  /// The label without the number at its end.
  package static func stem(of label: String) -> String {
    let bytes = label.utf8
    guard let dash = bytes.lastIndex(of: 0x2D), dash != bytes.startIndex else { return label }
    let number = bytes[bytes.index(after: dash)...]
    guard !number.isEmpty, number.allSatisfy(isDigit) else { return label }
    return String(label[..<dash])
  }

  /// Whether both labels end with a number and differ only by it. It is faster than comparing their stems.
  package static func haveSameStem(_ left: String, _ right: String) -> Bool {
    let isSame = left.utf8.withContiguousStorageIfAvailable { left in
      right.utf8.withContiguousStorageIfAvailable { right in
        let start = startOfNumber(in: right)
        guard start > 1, start < right.count, right[start - 1] == 0x2D,
          startOfNumber(in: left) == start, start < left.count,
          let first = left.baseAddress, let second = right.baseAddress
        else { return false }
        return memcmp(first, second, start) == 0
      }
    }
    return (isSame ?? nil) ?? false
  }

  /// Whether both labels differ only by the number at their end, which is larger in `label`.
  package static func label(_ label: String, follows other: String) -> Bool {
    (other.utf8.count, other) < (label.utf8.count, label) && haveSameStem(label, other)
  }

  /// The position of the first digit of the number at the end of a label.
  private static func startOfNumber(in label: UnsafeBufferPointer<UInt8>) -> Int {
    var start = label.count
    while start > 0, isDigit(label[start - 1]) { start -= 1 }
    return start
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  private static func descendants(_ steps: [StepRecord]) -> [Int32] {
    var result: [Int32] = Array(repeating: 0, count: steps.count)
    for index in steps.indices.reversed() {
      if let parent = steps[index].parent { result[parent] += 1 + result[index] }
    }
    return result
  }
}
