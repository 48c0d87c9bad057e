import Testing
import TimingTrace

/// A step with the steps below it, as a run of its own.
@Suite struct OpeningTests {
  @Test func `a part starts when it was submitted, and contains the steps below it`() throws {
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
    #expect(record.opened(at: "missing").isEmpty)
  }

  @Test func `a name without its number selects all numbered steps`() throws {
    let record = ManySteps.run(100).record
    let part = try #require(record.opened(at: "page").first)
    #expect(record.opened(at: "page").count == 1)
    #expect(part.name == "page" && part.steps.map(\.label) == (1...100).map { "page-\($0)" })
    #expect(part.makespan == record.makespan && part.maxConcurrency == 10)
    // A name with a number selects only that step; a path selects only steps of one pattern.
    #expect(record.opened(at: "page-7").map(\.name) == ["page-7"])
    #expect(record.opened(at: "bounded/page").isEmpty && record.opened(at: "pag").isEmpty)
    #expect(StepAccount.accounts(of: "page", in: ManySteps.run(30)).count == 30)
  }

  /// `all { p: serial { a; c }; q: serial { s; b } }`, where a, b and c take turns on one lane.
  private static let turns = {
    var script = EventScript("root", "all", steps: ["p", "q"])
    for (pattern, steps) in [("p", ["a", "c"]), ("q", ["s", "b"])] {
      script.start(pattern, at: 0)
      for step in steps { script.submit(step, in: pattern, at: 0) }
    }
    script.start("a", at: 0)
    script.start("s", at: 0)
    script.finish("s", at: 1)
    script.finish("a", at: 10)
    script.start("b", because: (.end, "s"), ready: 1, behind: "a", at: 10)
    script.finish("b", at: 40)
    script.finish("q", at: 40)
    script.start("c", because: (.end, "a"), ready: 10, behind: "b", at: 40)
    script.finish("c", at: 60)
    script.finish("p", at: 60)
    script.finish("root", at: 60)
    return script
  }()

  @Test func `an opened part names no step for which another one waited`() throws {
    let record = Self.turns.record()
    #expect(record.criticalPath == ["a", "b", "c"])
    #expect(Timeline(record).render(width: 100).contains("next in the queue after b →"))
    let part = try #require(record.opened(at: "p").first)
    #expect(part.criticalPath == ["a", "c"])
    let text = Timeline(part).render(width: 100)
    #expect(text.contains("* c") && !text.contains("→█") && !text.contains("after a →"), "\(text)")
    let other = try #require(record.opened(at: "q").first)
    #expect(other.criticalPath == ["b"])
  }

  @Test func `the steps of each pattern are a run of their own, and exact names come first`() {
    var script = EventScript()
    script.submit("root", "all", at: 0)
    script.start("root", at: 0)
    for group in ["a", "b"] {
      script.submit(group, "serial", in: "root", at: 0)
      script.start(group, at: 0)
      for number in 1...3 {
        script.submit("\(group)\(number)", in: group, label: "page-\(number)", at: 0)
      }
    }
    script.submit("job", in: "root", at: 0)
    script.submit("job-1", in: "root", at: 0)
    let record = script.record(outcome: .unfinished, end: 5)
    #expect(record.opened(at: "page").map(\.name) == ["a/page", "b/page"])
    #expect(record.opened(at: "b/page").map(\.name) == ["b/page"])
    #expect(record.opened(at: "job").map { $0.steps.map(\.label) } == [["job"]])
  }

  @Test func `the steps of an opened family are drawn one by one`() throws {
    let part = try #require(ManySteps.run(10_000).record.opened(at: "page").first)
    let text = Timeline(part, isOpened: true).render(width: 80, height: 50)
    #expect(!text.contains("page × 10 000"))
    #expect(text.contains("* page-100 "), "the critical path stays, its longest steps first")
    #expect(text.contains("… 9 950 more steps, 950 of them on the critical path"), "\(text)")
  }
}
