import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// A run that was stopped early counts as not measured.
@Suite struct IncompleteRunComparisonTests {
  private static func incomplete(_ record: RunRecord) -> RunRecord {
    var record = record
    record.isIncomplete = true
    record.outcome = .unfinished
    record.makespan /= 10
    return record
  }

  @Test func `six runs with an incomplete one have no verdict`() {
    let whole = StepComparisonTests.live([("x", 10)], 6)
    let torn = Array(whole.dropLast()) + [Self.incomplete(whole[5])]
    let comparison = Comparison(of: [.init("a", whole), .init("b", torn)], clock: .live)
    #expect(comparison.rows.map(\.runs) == [6, 5])
    #expect(comparison.rows[1].values == whole.dropLast().map(\.makespan))
    #expect(comparison.rows[1].verdict == .inconclusive)
    #expect(comparison.rows[1].note?.contains("it has 5 runs") == true)
    let warning = "1 of 6 runs of b did not finish, as far as recorded, and is left out"
    #expect(comparison.warnings == [warning])
    #expect(comparison.json.contains(warning))
    #expect(comparison.typical[1]?.isIncomplete == false)
  }

  @Test func `without finished runs there is no verdict`() {
    let whole = StepComparisonTests.live([("x", 10)], 6)
    let torn = whole.map(Self.incomplete)
    let comparison = Comparison(of: [.init("a", torn), .init("b", whole)], clock: .live)
    #expect(comparison.rows[0].median == nil && comparison.rows[1].ratio == nil)
    #expect(comparison.rows[1].verdict == .inconclusive)
    #expect(comparison.table().contains("a: none of its runs finished"))
    #expect(comparison.warnings.first?.contains("6 of 6 runs of a did not finish") == true)
  }

  /// The incomplete run is neither faster nor slower, whichever of the two comes first.
  @Test(arguments: [true, false])
  func `on the virtual clock an incomplete run is a difference`(isFirst: Bool) throws {
    let whole = StepComparisonTests.run([("x", 10), ("y", 5)])
    var script = EventScript("serial", "serial", steps: ["x", "y"])
    script.start("x", at: 0)
    var torn = script.record(outcome: .unfinished)
    torn.isIncomplete = true
    torn.derive(from: TraceEvents(script.events))
    let sides = [Comparison.Side("a", [whole]), .init("b", [torn])]
    let comparison = Comparison(of: isFirst ? sides.reversed() : sides, clock: .virtual)
    #expect(comparison.rows[1].verdict == .inconclusive && comparison.rows[1].ratio == nil)
    #expect(comparison.table().contains("b: 1 of 1 runs did not finish: a difference"))
    let difference = try #require(comparison.divergences.first).divergence.difference
    #expect(difference.kind == .outcome)
    #expect([difference.first, difference.second][isFirst ? 0 : 1] == "the run did not finish")
    #expect(comparison.steps.isEmpty && comparison.unmatched.isEmpty)
    // The same holds for the comparison side by side.
    let divergence = try #require(Divergence(between: torn, and: whole))
    #expect(divergence.rows.last?.first?.text == "the run did not finish")
    #expect(divergence.rows.last?.first?.time == nil && divergence.rows.last?.second?.step != nil)
    let text = divergence.text(("a", "b"))
    #expect(text.contains("the run did not finish │") && !text.contains("nothing more"), "\(text)")
  }

  @Test func `a sample contains no incomplete runs`() {
    var runs = SavedRunsTests.small
    var torn = runs.runs[0]
    torn.record.isIncomplete = true
    runs.runs.insert(torn, at: 0)
    #expect(runs.samples == SavedRunsTests.small.samples)
  }
}
