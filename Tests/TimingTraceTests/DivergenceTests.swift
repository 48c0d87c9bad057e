import Testing

@testable import TimingTrace

@Suite struct DivergenceTests {
  @Test func bothSidesAreShown() throws {
    let first = StepComparisonTests.run([("x", 10), ("y", 5)])
    let second = StepComparisonTests.run([("x", 12), ("y", 5)])
    let divergence = try #require(Divergence(between: first, and: second))
    #expect(divergence.difference == StructuralDifference.first(between: first, and: second))
    #expect(divergence.rows.map(\.isDifferent) == [false, false, true, true, true])
    #expect(divergence.rows.map(\.first?.time) == [.ms(0), .ms(0), .ms(10), .ms(10), .ms(15)])
    #expect(divergence.rows.map(\.second?.time) == [.ms(0), .ms(0), .ms(12), .ms(12), .ms(17)])
    #expect(
      divergence.text(("before", "after"), style: .ascii) == """
          before                     | after
           0ns  started x on pool-1  |  0ns  started x on pool-1
           0ns  submitted y          |  0ns  submitted y
        ! 10ms  finished x on pool-1 | 12ms  finished x on pool-1
        ! 10ms  started y on pool-1  | 12ms  started y on pool-1
        ! 15ms  finished y on pool-1 | 17ms  finished y on pool-1

        """)
  }

  @Test func oneThatDoesNothingMoreIsSaidTo() throws {
    let first = StepComparisonTests.run([("x", 10)])
    let second = StepComparisonTests.run([("x", 10), ("y", 5)])
    let divergence = try #require(Divergence(between: first, and: second))
    #expect(divergence.rows.last?.first == nil)
    #expect(divergence.rows.last?.second?.step == "y")
    #expect(divergence.text(("a", "b")).contains("nothing more"))
  }

  @Test func whatIsTheSameDoesNotDiverge() {
    let run = StepComparisonTests.run([("x", 10)])
    #expect(Divergence(between: run, and: run) == nil)
  }

  @Test func anotherEdgeIsShownWhereAllElseIsAlike() throws {
    let first = StepComparisonTests.run([("x", 10), ("y", 5)])
    var second = first
    second.edges.append(EdgeRecord(from: "x", to: "y", kind: .dependency))
    let divergence = try #require(Divergence(between: first, and: second))
    #expect(divergence.rows.count == 1)
    #expect(divergence.rows[0].first?.text == "no further edge")
    #expect(divergence.rows[0].second?.text == "“x” let “y” go on (dependency)")
  }
}
