/// For each step of a composition, the positions of the steps that its `after` names.
struct PredecessorPositions: Sendable {
  /// The predecessors of the step at *i* are in `positions` from `starts[i]` up to `starts[i + 1]`.
  private var starts: [Int32] = [0]
  private var positions: [Int32] = []

  /// Nil if no step has a predecessor.
  ///
  /// - Complexity: O(steps + predecessors)
  init?(of steps: [Step]) {
    guard steps.contains(where: { !$0.predecessors.isEmpty }) else { return nil }
    let known = Dictionary(
      zip(steps.lazy.map(\.label), Int32(0)...), uniquingKeysWith: { first, _ in first })
    starts.reserveCapacity(steps.count + 1)
    for step in steps {
      for label in step.predecessors {
        if let position = known[label] { positions.append(position) }
      }
      starts.append(Int32(positions.count))
    }
  }

  /// The predecessors of the step at `position`.
  subscript(position: Int) -> ArraySlice<Int32> {
    positions[Int(starts[position])..<Int(starts[position + 1])]
  }
}
