import Testing
import TimingTrace

@Suite struct UnfinishedStepsTests {
  @Test func `finished steps are left out, unless a step below them has not finished`() {
    var record = RunRecord(name: "run", pattern: "program", clock: .live, outcome: .unfinished)
    func step(_ path: String, parent: Int? = nil, finished: Int64?) -> StepRecord {
      StepRecord(
        label: path.split(separator: "/").last.map(String.init) ?? path, path: path,
        pattern: "task",
        submitted: 0, started: 0, finished: finished,
        outcome: finished == nil ? .unfinished : .success, parent: parent)
    }
    record.steps = [
      step("done", finished: 1),
      step("maker", finished: 2),
      step("maker/done", parent: 1, finished: 1),
      step("maker/open", parent: 1, finished: nil),
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
