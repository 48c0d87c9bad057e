import Testing
import TimingTrace

@Suite struct UnfinishedStepsTests {
  /// A step records its work when the work ends.
  @Test func `the work of an unfinished step lasts until the end of the run`() throws {
    var script = EventScript("group", "group", steps: ["a", "b"])
    script.startWork("a", at: 10)
    script.startWork("b", at: 20)
    script.work("b", for: 30, at: 50)
    let record = script.record(outcome: .unfinished, end: 300)
    #expect(record.steps.map(\.work) == [.ms(290), .ms(30)])
    #expect(record.work == .ms(320))
    let run = SavedRun(
      name: "run", source: "", composition: "", record: record, events: script.events)
    #expect(Analysis(of: run).lanes.map(\.work) == [.ms(320)])
    let stretches = try #require(LaneTimeline(run).lanes.first).stretches
    #expect(stretches.filter { $0.kind == .work }.map(\.to) == [.ms(300), .ms(50)])
  }

  @Test func `finished steps are left out, unless a step below them has not finished`() {
    var record = RunRecord(name: "run", pattern: "program", clock: .live, outcome: .unfinished)
    func step(
      _ label: String, in container: String? = nil, parent: Int? = nil, finished: Int64?
    ) -> StepRecord {
      StepRecord(
        label: label, in: container, pattern: "task",
        submitted: 0, started: 0, finished: finished,
        outcome: finished == nil ? .unfinished : .success, parent: parent)
    }
    record.steps = [
      step("done", finished: 1),
      step("maker", finished: 2),
      step("done", in: "maker", parent: 1, finished: 1),
      step("open", in: "maker", parent: 1, finished: nil),
      step("open", finished: nil),
    ]
    record.counters = [
      CounterRecord(name: "count", step: "done", points: []),
      CounterRecord(name: "count", step: "open", points: []),
    ]
    let left = record.unfinished
    #expect(left.steps.map(\.path) == ["maker", "maker/open", "open"])
    #expect(left.steps.map(\.parent) == [nil, 0, nil])
    #expect(left.counters.map(\.step) == ["open"])
  }
}
