import Testing
import TimingTrace

/// Runs that nest deeper than any real run.
@Suite(.timeLimit(.minutes(1))) struct DeepNestingTests {
  /// The cost of each step must not grow with its depth. Otherwise this test would take most of an hour.
  @Test func `deeply nested cancelled steps are analysed in time`() {
    let depth = 50_000
    var script = EventScript()
    script.submit("0", "group", at: 0)
    script.start("0", at: 0)
    for level in 1..<depth {
      script.submit("\(level)", "group", in: "\(level - 1)", at: 0)
      script.start("\(level)", at: 0)
    }
    for level in (0..<depth).reversed() {
      let reason: EventScript.Reason =
        level == depth - 1 ? (.cancellation, "") : (.end, "\(level + 1)")
      script.finish("\(level)", .cancelled, because: reason, cancelled: 10, at: 10)
    }
    let record = script.record()
    let analysis = Analysis(of: record, events: script.events)
    #expect(analysis.slack.count == depth - 1)
    #expect(record.criticalPath == ["\(depth - 1)"])
  }

  /// The paths of all steps together have limited room, even if they share a long container.
  @Test func `the paths of many steps below a long label are cut`() {
    let label = String(repeating: "x", count: 16_000)
    let count = 10_000
    var script = EventScript("group", "group", steps: [label])
    script.start(label, at: 0)
    for number in 0..<count { script.submit("\(number)", in: label, at: 0) }
    let record = script.record()
    let sizes = record.steps.map(\.path.utf8.count)
    #expect(sizes.reduce(0, +) < 66 << 20)
    #expect(record.steps[1].path == "\(label)/0")
    #expect(record.steps[count].path == "…/\(count - 1)")
  }
}
