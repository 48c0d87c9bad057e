internal import AsyncRuntime

/// What a graph is made of, and its plan, made when it is first needed and again when the graph has grown.
///
/// Copies of a graph share it until one of them changes, and so do its runs.
///
/// Safe to share: only a graph that nobody shares it with writes to it. A graph only ever grows: as long as the
/// numbers are the same, so is the plan.
final class GraphStorage: @unchecked Sendable {
  private struct Entry: Sendable {
    let plan: GraphPlan
    let dependencyCount: Int
  }

  // Without a dynamic check, since accesses exclude each other as said above.
  @exclusivity(unchecked) var table: OperationTable
  private let latest = Locked<Entry?>(nil)

  init(_ table: OperationTable) { self.table = table }

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
