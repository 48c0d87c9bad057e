import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

@Suite struct DivergenceTests {
  @Test func `both sides are shown`() throws {
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
           0ns  submitted y          |  0ns  submitted y
           0ns  started x on pool-1  |  0ns  started x on pool-1
        ! 10ms  finished x on pool-1 | 12ms  finished x on pool-1
        ! 10ms  started y on pool-1  | 12ms  started y on pool-1
        ! 15ms  finished y on pool-1 | 17ms  finished y on pool-1

        """)
  }

  @Test func `a run that does nothing more is reported`() throws {
    let first = StepComparisonTests.run([("x", 10)])
    let second = StepComparisonTests.run([("x", 10), ("y", 5)])
    let divergence = try #require(Divergence(between: first, and: second))
    #expect(divergence.rows.last?.first == nil)
    #expect(divergence.rows.last?.second?.step == "y")
    #expect(divergence.text(("a", "b")).contains("nothing more"))
  }

  /// `serial { a: sleep 5ms; b: fail "no" }` and the same under `all`, which cancels a.
  @Test func `events of one instant are shown in the order of their run`() throws {
    var serial = EventScript("root", "serial", steps: ["a", "b"])
    serial.start("a", at: 0)
    serial.finish("a", at: 5)
    serial.start("b", after: "a", at: 5)
    serial.finish("b", .failure, error: "no", at: 5)
    serial.finish("root", .failure, error: "no", at: 5)
    var all = EventScript("root", "all", steps: ["a", "b"])
    all.start("a", at: 0)
    all.start("b", at: 0)
    all.finish("b", .failure, error: "no", at: 0)
    all.finish("a", .cancelled, because: (.cancellation, "root"), cancelled: 0, at: 0)
    all.finish("root", .failure, error: "no", at: 0)
    let divergence = try #require(Divergence(between: serial.record(), and: all.record()))
    #expect(
      divergence.text(("serial", "all"), style: .ascii) == """
          serial                               | all
          0ns  submitted b                     | 0ns  submitted b
          0ns  started a on pool-1             | 0ns  started a on pool-1
        ! 5ms  finished a on pool-1            | 0ns  started b on pool-1
        ! 5ms  started b on pool-1             | 0ns  finished b as failure on pool-1
        ! 5ms  finished b as failure on pool-1 | 0ns  finished a as cancelled on pool-1

        """)
  }

  @Test func `equal runs do not diverge`() {
    let run = StepComparisonTests.run([("x", 10)])
    #expect(Divergence(between: run, and: run) == nil)
  }

  @Test func `an edge is shown if it is the only difference`() throws {
    let first = StepComparisonTests.run([("x", 10), ("y", 5)])
    var second = first
    second.edges.append(EdgeRecord(from: "x", to: "y", kind: .dependency))
    let divergence = try #require(Divergence(between: first, and: second))
    #expect(divergence.rows.count == 1)
    #expect(divergence.rows[0].first?.text == "no further edge")
    #expect(divergence.rows[0].second?.text == "“x” let “y” continue (dependency)")
  }

  /// Each side shows its time, verb and value once.
  @Test func `the points of a counter are shown side by side`() throws {
    let first = CounterTests.fade.record()
    var second = first
    second.counters[0].points[3].value = 0.2
    let divergence = try #require(Divergence(between: first, and: second))
    #expect(
      divergence.text(("before", "after")) == """
          before                          │ after
        ≠ 30ms  recorded 0.1 as “opacity” │ 30ms  recorded 0.2 as “opacity”

        """)
    // Next, a point with different times, and then a counter that has ended in one of the runs.
    second.counters[0].points[3] = .init(time: .ms(35), value: 0.1)
    var row = try #require(Divergence(between: first, and: second)).rows[0]
    #expect(row.first?.time == .ms(30) && row.second?.time == .ms(35))
    #expect(row.first?.text == row.second?.text)
    second = first
    second.counters[1].points.removeLast()
    row = try #require(Divergence(between: first, and: second)).rows[0]
    #expect(row.first?.text == "recorded 0.0 as “opacity”" && row.first?.time == .ms(1200))
    #expect(row.second?.text == "nothing more" && row.second?.time == nil)
    row = try #require(Divergence(between: second, and: first)).rows[0]
    #expect(row.first?.text == "nothing more" && row.second?.time == .ms(1200))
  }
}
