import PatternTesting
import Testing

@testable import AsyncSimulation

@Suite struct WaitForGraphTests {
  func graph(_ edges: [Int: [Int]], from starts: [Int] = [0]) -> WaitForGraph<Int> {
    WaitForGraph(from: starts) { edges[$0] ?? [] }
  }

  @Test func `a chain has a root and no cycle`() {
    let chain = graph([0: [1], 1: [2, 3], 2: [3]])
    #expect(chain.cycle() == nil)
    #expect(chain.roots == [3])
    #expect(chain.path(from: 0) { $0 == 3 } == [0, 1, 3])
    #expect(chain.path(from: 3) { $0 == 3 } == [3])
    #expect(chain.path(from: 3) { $0 == 0 } == nil)
    #expect(chain.path(from: 9) { _ in true } == nil)
  }

  @Test(arguments: [
    ([0: [0]], [0]), ([0: [1], 1: [0]], [0, 1]), ([0: [1], 1: [2], 2: [3], 3: [1]], [1, 2, 3]),
  ])
  func `a cycle is found from any start`(edges: [Int: [Int]], expected: [Int]) throws {
    #expect(graph(edges).cycle() == expected)
    let other = try #require(graph(edges, from: edges.keys.sorted(by: >)).cycle())
    #expect(other.sorted() == expected)
  }

  @Test func `the shorter of two cycles is found`() {
    #expect(graph([0: [1, 2], 1: [3], 3: [2], 2: [0]]).cycle() == [0, 2])
  }

  @Test func `a node that cannot be reached is ignored`() {
    let graph = graph([0: [1], 2: [2]])
    #expect(graph.parties == [0, 1])
    #expect(graph.cycle() == nil)
  }

  @Test(.unlessThreadSanitized) func `a long chain needs no stack`() {
    let length = 200_000
    let ring = WaitForGraph(from: [0]) { [($0 + 1) % length] }
    #expect(ring.cycle()?.count == length)
    let line = WaitForGraph(from: [0]) { $0 < length ? [$0 + 1] : [] }
    #expect(line.cycle() == nil)
    #expect(line.roots == [length])
  }
}
