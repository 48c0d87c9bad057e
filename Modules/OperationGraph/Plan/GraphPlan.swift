/// What a graph comes to once it changes no more: for each operation who comes after it, and how many
/// come before it, in flat arrays.
///
/// The successors of operation *i* stand in `successors` from `successorStarts[i]` up to
/// `successorStarts[i + 1]`. Runs read it side by side; what changes while they run is theirs.
final class GraphPlan: Sendable {
  /// How many operations there are.
  let count: Int
  /// How many operations each one waits for; empty if none waits.
  let predecessorCounts: [Int32]
  let successorStarts: [Int32]
  let successors: [Int32]
  /// How many operations wait for none.
  let rootCount: Int

  var hasDependencies: Bool { !successors.isEmpty }

  /// - Throws: a cycle among the dependencies, if there is one.
  /// - Complexity: O(operations + dependencies)
  init(count: Int, _ dependencies: [Dependency]) throws(Cycle) {
    self.count = count
    guard !dependencies.isEmpty else {
      predecessorCounts = []
      successorStarts = []
      successors = []
      rootCount = count
      return
    }
    var waiting = [Int32](repeating: 0, count: count)
    var starts = [Int32](repeating: 0, count: count + 1)
    var pointsForward = true
    for dependency in dependencies {
      waiting[Int(dependency.successor)] += 1
      starts[Int(dependency.predecessor) + 1] += 1
      pointsForward = pointsForward && dependency.predecessor < dependency.successor
    }
    for index in 0..<count { starts[index + 1] += starts[index] }
    var free = starts
    var successors = [Int32](repeating: 0, count: dependencies.count)
    for dependency in dependencies {
      let predecessor = Int(dependency.predecessor)
      successors[Int(free[predecessor])] = dependency.successor
      free[predecessor] += 1
    }
    predecessorCounts = waiting
    successorStarts = starts
    self.successors = successors
    rootCount = waiting.count { $0 == 0 }
    // Where every operation comes after earlier ones only, there is no way back.
    if !pointsForward { try Self.refuseCycles(dependencies, waiting, starts, successors) }
  }

  /// Takes out what nothing comes before, again and again (A. B. Kahn, 1962,
  /// doi:10.1145/368996.369025): what cannot be taken out stands on a cycle or behind one.
  private static func refuseCycles(
    _ dependencies: [Dependency], _ waiting: [Int32], _ starts: [Int32], _ successors: [Int32]
  ) throws(Cycle) {
    var waiting = waiting
    var taken = waiting.indices.filter { waiting[$0] == 0 }
    var position = 0
    while position < taken.count {
      let operation = taken[position]
      position += 1
      for successor in successors[Int(starts[operation])..<Int(starts[operation + 1])] {
        waiting[Int(successor)] -= 1
        if waiting[Int(successor)] == 0 { taken.append(Int(successor)) }
      }
    }
    guard taken.count < waiting.count else { return }
    throw Cycle(among: dependencies, where: { waiting[Int($0)] > 0 }, count: waiting.count)
  }

  /// One operation comes after another.
  struct Dependency: Sendable {
    var predecessor: Int32
    var successor: Int32
  }

  /// Operations each of which comes after the next, and the last after the first.
  struct Cycle: Error {
    let operations: [Int32]

    /// Walks back from the first operation that stays until it comes by a second time.
    ///
    /// - Parameter stays: whether an operation stands on a cycle or behind one.
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
      // Told from its earliest operation on, however it was found.
      let first = cycle.indices.min { cycle[$0] < cycle[$1] } ?? cycle.startIndex
      operations = Array(cycle[first...] + cycle[..<first])
    }
  }
}
