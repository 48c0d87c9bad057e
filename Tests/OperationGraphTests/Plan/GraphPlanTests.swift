import Testing

@testable import OperationGraph

@Suite struct GraphPlanTests {
  private func plan(_ count: Int, _ edges: [(Int32, Int32)]) throws(GraphPlan.Cycle) -> GraphPlan {
    try GraphPlan(
      count: count, edges.map { GraphPlan.Dependency(predecessor: $0, successor: $1) })
  }

  @Test func `a plan lists the successors of each operation, in the order of adding`() throws {
    let plan = try plan(5, [(3, 1), (0, 1), (3, 4), (3, 2), (0, 2)])
    #expect(plan.roots == [0, 3])
    #expect(Array(plan.predecessorCounts) == [0, 2, 2, 0, 1])
    #expect(
      (0..<5).map { Array(plan.successors(of: $0)) } == [[1, 2], [], [], [1, 2, 4], []])
    #expect(plan.topologicalOrder() == [0, 3, 1, 2, 4])
    let empty = try self.plan(0, [])
    #expect(empty.roots.isEmpty && empty.topologicalOrder().isEmpty)
  }

  @Test func `predecessors of urgent operations are urgent, too`() throws {
    // The dependencies are 0 → 1 → 3 and 0 → 2. Operation 4 has none.
    let plan = try plan(5, [(0, 1), (1, 3), (0, 2)])
    #expect(plan.effectivePriorities([0, 0, 1, 7, 3]) == [7, 7, 1, 7, 3])
    #expect(plan.effectivePriorities([9, 0, 1, 7, 3]) == [9, 7, 1, 7, 3])
  }

  @Test func `a plan agrees with an exhaustive search`() throws {
    for seed: UInt64 in 1...200 {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 1...12, using: &random)
      let edges = (0..<Int.random(in: 0...20, using: &random)).map { _ in
        (
          Int32.random(in: 0..<Int32(count), using: &random),
          Int32.random(in: 0..<Int32(count), using: &random)
        )
      }
      // Which operations depend on which others, directly or indirectly.
      var isAfter = Array(repeating: Array(repeating: false, count: count), count: count)
      for (before, after) in edges { isAfter[Int(before)][Int(after)] = true }
      for middle in 0..<count {
        for one in 0..<count where isAfter[one][middle] {
          for other in 0..<count where isAfter[middle][other] { isAfter[one][other] = true }
        }
      }
      let own = (0..<count).map { _ in Int.random(in: 0...9, using: &random) }
      do {
        let plan = try plan(count, edges)
        #expect((0..<count).allSatisfy { !isAfter[$0][$0] })
        let expected = (0..<count).map { one in
          (0..<count).filter { isAfter[one][$0] }.map { own[$0] }.reduce(own[one], max)
        }
        #expect(plan.effectivePriorities(own) == expected)
        for before in 0..<Int32(count) {
          let after = edges.filter { $0.0 == before }.map { $0.1 }.sorted()
          #expect(Array(plan.successors(of: before)) == after)
        }
        let order = plan.topologicalOrder()
        #expect(order.sorted() == (0..<Int32(count)).map { $0 })
        for (before, after) in edges {
          #expect(order.firstIndex(of: before)! < order.firstIndex(of: after)!)
        }
      } catch {
        // Each operation depends on the next one, and the last one on the first.
        let way = error.operations
        #expect(!way.isEmpty && Set(way).count == way.count)
        for (after, before) in zip(way, way.dropFirst() + way.prefix(1)) {
          #expect(edges.contains { $0 == before && $1 == after })
        }
      }
    }
  }
}
