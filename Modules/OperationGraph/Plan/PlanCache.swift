/// The plan of a graph, made when it is first needed and again when the graph has grown.
///
/// A graph only ever grows, and a copy that does so beside the original gets a cache of its own: as long
/// as the numbers are the same, so is the plan.
final class PlanCache: Sendable {
  private struct Entry: Sendable {
    let plan: GraphPlan
    let dependencyCount: Int
  }

  private let entry = Locked<Entry?>(nil)

  /// - Complexity: O(count + dependencies) the first time, then O(1)
  func plan(
    count: Int, _ dependencies: [GraphPlan.Dependency]
  ) throws(GraphPlan.Cycle) -> GraphPlan {
    let known = entry.withLock { $0 }
    if let known, known.plan.count == count, known.dependencyCount == dependencies.count {
      return known.plan
    }
    let plan = try GraphPlan(count: count, dependencies)
    entry.withLock { $0 = Entry(plan: plan, dependencyCount: dependencies.count) }
    return plan
  }
}
