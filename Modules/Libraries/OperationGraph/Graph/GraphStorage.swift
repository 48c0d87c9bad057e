internal import AsyncRuntime
internal import DequeModule

/// The contents of a graph, and its plan. The plan is made when it is first needed, and again when the graph has grown.
///
/// Copies of a graph share one storage until one of them changes. The graph's runs share it too.
///
/// Safe to share: a graph writes to its storage only while no other graph or run shares it. A graph only ever grows, so
/// the plan is valid as long as the counts of operations and dependencies are unchanged.
final class GraphStorage: @unchecked Sendable {
  private struct Entry: Sendable {
    let plan: GraphPlan
    let dependencyCount: Int
  }

  // Without a dynamic check: the rule above already excludes overlapping accesses.
  @exclusivity(unchecked) var table: OperationTable
  /// The work of each operation. It is no `UniqueArray`, whose module this compiler cannot compile for ThreadSanitizer.
  @exclusivity(unchecked) var works: UniqueDeque<OperationWork>
  private let latest = Locked<Entry?>(nil)

  init() {
    table = OperationTable()
    works = UniqueDeque()
  }

  /// - Complexity: O(operations + dependencies)
  init(copying other: GraphStorage) {
    table = other.table
    works = UniqueDeque(minimumCapacity: other.works.count)
    for index in other.works.indices { works.append(other.works[index].copied()) }
  }

  /// - Complexity: O(operations + dependencies) the first time, then O(1)
  func plan() throws(GraphPlan.Cycle) -> GraphPlan {
    let (count, dependencyCount) = (table.count, table.dependencies.count)
    let known = latest.withLock { $0 }
    if let known, known.plan.count == count, known.dependencyCount == dependencyCount {
      return known.plan
    }
    let plan = try GraphPlan(count: count, table.dependencies)
    latest.withLock { $0 = Entry(plan: plan, dependencyCount: dependencyCount) }
    return plan
  }
}
