import Testing
import TimingTrace

/// A step and what is below it as a run of its own.
@Suite struct OpeningTests {
  @Test func `a part begins when it was submitted, and holds what is below it`() throws {
    let record = AnalysisTests.nested.record()
    let part = try #require(record.opened(at: "c").first)
    #expect(part.name == "c" && part.pattern == "serial" && part.outcome == .success)
    #expect(part.makespan == .ms(40))
    #expect(part.steps.map(\.path) == ["c", "c/job/fetch", "c/job/store"])
    #expect(part.steps.map(\.parent) == [nil, 0, 0])
    #expect(part.criticalPath == ["fetch", "store"])
    #expect(part.edges == [EdgeRecord(from: "fetch", to: "store", kind: .dependency)])
    let store = try #require(record.opened(at: "store").first)
    #expect(store.steps.map(\.submitted) == [0])
    #expect(store.makespan == .ms(30) && store.maxConcurrency == 1)
    #expect(record.opened(at: "nobody").isEmpty)
  }
}
