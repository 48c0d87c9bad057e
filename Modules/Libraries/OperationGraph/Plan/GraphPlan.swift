/// What a graph comes to once it changes no more: for each operation who comes after it, and how many
/// come before it, in flat arrays.
///
/// The successors of operation *i* stand in `successors` from `successorStarts[i]` up to
/// `successorStarts[i + 1]`, in the order of adding. Runs read it side by side; what changes while they
/// run is theirs.
///
/// Safe to share: nothing is written once it has been made.
final class GraphPlan: @unchecked Sendable {
  typealias Numbers = UnsafeMutableBufferPointer<Int32>

  /// How many operations there are.
  let count: Int
  /// The operations that wait for none, in the order of adding.
  let roots: [Int32]
  // Memory of its own, since a run looks into it several times for each operation.
  private let waiting: Numbers
  private let starts: Numbers
  private let all: Numbers

  /// How many operations each one waits for.
  var predecessorCounts: UnsafeBufferPointer<Int32> { UnsafeBufferPointer(waiting) }
  var successorStarts: UnsafeBufferPointer<Int32> { UnsafeBufferPointer(starts) }
  var successors: UnsafeBufferPointer<Int32> { UnsafeBufferPointer(all) }

  /// The operations that wait for this one. For use as long as somebody holds the plan.
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
    // Counted one place too far, so that filling in moves each start to where it belongs.
    for dependency in dependencies {
      waiting[Int(dependency.successor)] += 1
      starts[Int(dependency.predecessor) + 2] += 1
      pointsForward = pointsForward && dependency.predecessor < dependency.successor
    }
    for index in 0..<count { starts[index + 2] += starts[index + 1] }
    for dependency in dependencies {
      let predecessor = Int(dependency.predecessor)
      all[Int(starts[predecessor + 1])] = dependency.successor
      starts[predecessor + 1] += 1
    }
    var roots: [Int32] = []
    for index in 0..<count where waiting[index] == 0 { roots.append(Int32(index)) }
    self.roots = roots
    // Where every operation comes after earlier ones only, there is no way back.
    if !pointsForward { try refuseCycles(dependencies) }
  }

  /// The operations, each after all that it waits for.
  ///
  /// A. B. Kahn (1962, doi:10.1145/368996.369025): what waits for none is taken out, again and again. What
  /// cannot be taken out stands on a cycle or behind one, and is missing.
  ///
  /// - Parameter waiting: for each operation, how many it waits for; what is left of it in the end.
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

  /// The operations, each after all that it waits for.
  ///
  /// - Complexity: O(operations + dependencies)
  func topologicalOrder() -> [Int32] {
    var waiting = Array(predecessorCounts)
    return order(countingDown: &waiting)
  }

  /// For each operation the highest priority of its own and of all that wait for it, however indirectly: so
  /// that nothing urgent waits for something that is not.
  ///
  /// - Parameter own: for each operation its own.
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
