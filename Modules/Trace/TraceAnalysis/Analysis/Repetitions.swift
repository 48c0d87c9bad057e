/// Finds the steps of a record that repeat each other.
struct Repetitions {
  struct Family {
    var name: String
    /// The number of groups that contain its steps.
    var groups: Int
    /// Positions among the steps of the record.
    var steps: [Int]
  }

  /// The families of two steps or more, in the order in which they first occur. A family that spans several groups
  /// comes before the families inside these groups.
  private(set) var families: [Family] = []

  private struct Key: Hashable {
    /// The index of the parent's key; -1 without a parent.
    let parent: Int
    let stem: String
  }

  private var keys: [Key] = []

  /// - Complexity: O(n) in the number of steps and the length of their labels.
  init(_ steps: [StepRecord]) {
    var known: [Key: Int] = [:]
    var kinds: [Int] = []
    var members: [[Int]] = []
    kinds.reserveCapacity(steps.count)
    for (index, step) in steps.enumerated() {
      let key = Key(parent: step.parent.map { kinds[$0] } ?? -1, stem: Self.stem(of: step, steps))
      let kind = known[key] ?? keys.count
      if kind == keys.count {
        known[key] = kind
        keys.append(key)
        members.append([])
      }
      kinds.append(kind)
      members[kind].append(index)
    }
    var byLabel: [String: [Int]] = [:]
    for kind in members.indices where steps[members[kind][0]].isLeaf {
      byLabel[Folding.stem(of: steps[members[kind][0]].label), default: []].append(kind)
    }
    for kind in members.indices {
      let first = steps[members[kind][0]]
      let label = Folding.stem(of: first.label)
      if first.isLeaf, let groups = byLabel[label], groups.count > 1, groups[0] == kind {
        families.append(
          Family(name: label, groups: groups.count, steps: groups.flatMap { members[$0] }))
      }
      if members[kind].count > 1 {
        families.append(Family(name: name(of: kind), groups: 1, steps: members[kind]))
      }
    }
  }

  /// The last part of the path without the numbers of labels. It includes the name of the list that contains the step.
  private static func stem(of step: StepRecord, _ steps: [StepRecord]) -> String {
    let above = step.parent.map { steps[$0].path.utf8.count + 1 } ?? 0
    let own = step.path.utf8.count - above
    guard own > step.label.utf8.count else { return Folding.stem(of: step.label) }
    let list = step.path.utf8.dropFirst(above).dropLast(step.label.utf8.count)
    return String(Substring(list)) + Folding.stem(of: step.label)
  }

  /// The path without the numbers of its labels. A path that is too long is shortened to its end.
  private func name(of kind: Int) -> String {
    var parts: [String] = []
    var next = kind
    while next >= 0 {
      guard parts.count < 32 else {
        parts.append("…")
        break
      }
      parts.append(keys[next].stem)
      next = keys[next].parent
    }
    return parts.reversed().joined(separator: "/")
  }
}
