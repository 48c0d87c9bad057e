/// The fixed form of a graph that no longer changes. It stores the successors of each operation and
/// the number of its predecessors, in flat arrays.
///
/// The successors of operation *i* are stored in `all` from `starts[i]` up to `starts[i + 1]`. They are in the order in
/// which the operations were added, whatever the order of the dependencies. Several runs may read the plan at the same
/// time, since each run keeps its changing state itself.
///
/// Safe to share: it never changes after it was made.
final class GraphPlan: @unchecked Sendable {
  typealias Numbers = UnsafeMutableBufferPointer<Int32>

  /// The number of operations.
  let count: Int
  /// The operations without predecessors, in the order of adding.
  let roots: [Int32]
  // Manually allocated, because a run reads it several times for each operation.
  private let waiting: Numbers
  private let starts: Numbers
  private let all: Numbers

  /// The number of predecessors of each operation.
  var predecessorCounts: UnsafeBufferPointer<Int32> { UnsafeBufferPointer(waiting) }

  /// The operations that wait for this one, in the order of adding. Valid as long as the plan is alive.
  func successors(of operation: Int32) -> UnsafeBufferPointer<Int32> {
    let start = Int(starts[Int(operation)])
    let end = Int(starts[Int(operation) + 1])
    return UnsafeBufferPointer(rebasing: UnsafeBufferPointer(all)[start..<end])
  }

  /// - Throws: a cycle among the dependencies, if there is one.
  /// - Complexity: O(operations + dependencies)
  init(count: Int, _ dependencies: [Dependency]) throws(Cycle) {
    self.count = count
    waiting = .allocate(capacity: count)
    waiting.initialize(repeating: 0)
    starts = .allocate(capacity: count + 2)
    starts.initialize(repeating: 0)
    all = .allocate(capacity: dependencies.count)
    var pointsForward = true
    var isSorted = true
    var last: Int32 = 0
    // The counts are stored one position too far. Filling in the successors then moves each start to its final
    // position.
    for dependency in dependencies {
      waiting[Int(dependency.successor)] += 1
      starts[Int(dependency.predecessor) + 2] += 1
      pointsForward = pointsForward && dependency.predecessor < dependency.successor
      isSorted = isSorted && last <= dependency.successor
      last = dependency.successor
    }
    for index in 0..<count { starts[index + 2] += starts[index + 1] }
    for dependency in isSorted ? dependencies : GraphPlan.sorted(dependencies, waiting) {
      let predecessor = Int(dependency.predecessor)
      all[Int(starts[predecessor + 1])] = dependency.successor
      starts[predecessor + 1] += 1
    }
    var roots: [Int32] = []
    for index in 0..<count where waiting[index] == 0 { roots.append(Int32(index)) }
    self.roots = roots
    // If every operation only comes after earlier ones, there can be no cycle.
    if !pointsForward { try refuseCycles(dependencies) }
  }

  /// The dependencies in the order of their successors: a counting sort.
  ///
  /// - Parameter counts: the number of dependencies of each successor.
  private static func sorted(_ dependencies: [Dependency], _ counts: Numbers) -> [Dependency] {
    var positions: [Int] = []
    var position = 0
    for count in counts {
      positions.append(position)
      position += Int(count)
    }
    var sorted = dependencies
    for dependency in dependencies {
      sorted[positions[Int(dependency.successor)]] = dependency
      positions[Int(dependency.successor)] += 1
    }
    return sorted
  }

  /// The operations in topological order.
  ///
  /// Uses the algorithm of A. B. Kahn (1962, doi:10.1145/368996.369025): repeatedly takes out an operation that waits
  /// for none. Operations that cannot be taken out are on a cycle or behind one, and are missing from the result.
  ///
  /// - Parameter waiting: the number of predecessors of each operation. On return, the number of them that are missing
  ///   from the result.
  private func order(countingDown waiting: inout [Int32]) -> [Int32] {
    var taken = roots
    taken.reserveCapacity(count)
    var position = 0
    while position < taken.count {
      let operation = taken[position]
      position += 1
      for successor in successors(of: operation) {
        waiting[Int(successor)] -= 1
        if waiting[Int(successor)] == 0 { taken.append(successor) }
      }
    }
    return taken
  }

  /// The operations in topological order: each comes after all its predecessors.
  ///
  /// - Complexity: O(operations + dependencies)
  func topologicalOrder() -> [Int32] {
    var waiting = Array(predecessorCounts)
    return order(countingDown: &waiting)
  }

  /// For each operation, the highest priority among its own and those of all operations that wait for it, directly or
  /// indirectly. So an urgent operation never waits for one of low priority.
  ///
  /// - Parameter own: the priority that each operation was given.
  /// - Complexity: O(operations + dependencies)
  func effectivePriorities(_ own: [Int]) -> [Int] {
    var effective = own
    for operation in topologicalOrder().reversed() {
      for successor in successors(of: operation) {
        effective[Int(operation)] = max(effective[Int(operation)], effective[Int(successor)])
      }
    }
    return effective
  }

  deinit {
    waiting.deallocate()
    starts.deallocate()
    all.deallocate()
  }

  private func refuseCycles(_ dependencies: [Dependency]) throws(Cycle) {
    var waiting = Array(predecessorCounts)
    let taken = order(countingDown: &waiting)
    guard taken.count < count else { return }
    throw Cycle(among: dependencies, where: { waiting[Int($0)] > 0 }, count: count)
  }

  /// An operation comes after another one.
  struct Dependency: Sendable {
    var predecessor: Int32
    var successor: Int32
  }

  /// A cycle of operations: each comes after the next one, and the last comes after the first.
  struct Cycle: Error {
    let operations: [Int32]

    /// Walks backward from the first remaining operation until it reaches an operation for the second time.
    ///
    /// - Parameter stays: whether an operation is on a cycle or behind one.
    fileprivate init(
      among dependencies: [Dependency], where stays: (Int32) -> Bool, count: Int
    ) {
      var before = [Int32](repeating: -1, count: count)
      for dependency in dependencies
      where before[Int(dependency.successor)] < 0 && stays(dependency.predecessor)
        && stays(dependency.successor)
      {
        before[Int(dependency.successor)] = dependency.predecessor
      }
      guard var operation = before.firstIndex(where: { $0 >= 0 }).map(Int32.init) else {
        operations = []
        return
      }
      var way: [Int32] = []
      var places = [Int](repeating: -1, count: count)
      while places[Int(operation)] < 0 {
        places[Int(operation)] = way.count
        way.append(operation)
        operation = before[Int(operation)]
      }
      let cycle = way[places[Int(operation)]...]
      // The cycle starts with its earliest operation, whichever one it was found from.
      let first = cycle.indices.min { cycle[$0] < cycle[$1] } ?? cycle.startIndex
      operations = Array(cycle[first...] + cycle[..<first])
    }
  }
}
