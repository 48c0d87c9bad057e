import Testing

@testable import OperationGraph

/// Checks that messages about very many operations stay readable.
@Suite struct MessageTests {
  @Test func `a message about a long cycle names both ends`() throws {
    var graph = OperationGraph()
    let steps = (0..<10_000).map { graph.add("s\($0)") {} }
    for (step, next) in zip(steps, steps.dropFirst()) { graph.addDependency(of: next, on: step) }
    try graph.validate()
    graph.addDependency(of: steps[0], on: steps[9_999])
    let error = try #require(throws: OperationCycle.self) { try graph.validate() }
    #expect(error.labels.count == 10_001)
    #expect(
      error.description == """
        these operations wait for each other: s0 after s9999 after s9998 after s9997 after s9996 after \
        s9995 after … (9989 more) … after s5 after s4 after s3 after s2 after s1 after s0; \
        remove one of the dependencies
        """)
  }

  @Test(arguments: [1, 2, 12, 13, 14, 1_000])
  func `of many names the first are listed with the number of others`(_ count: Int) {
    let names = (1...count).map { "n\($0)" }
    let text = names.listed(separator: ", ")
    #expect(text.hasPrefix("n1") && text.split(separator: ", ").count <= 13)
    #expect(text.hasSuffix(count <= 13 ? "n\(count)" : ", n12, and \(count - 12) more"))
    let cycle = names.alongCycle
    #expect(cycle.hasPrefix("n1") && cycle.hasSuffix("n\(count)"))
    #expect(cycle.split(separator: " after ").count == min(count, 13))
  }
}
