import Testing
import TimingTrace

/// The steps that make up the makespan.
@Suite struct CriticalPathTests {
  @Test func `the step that gave the permit is critical`() {
    var script = EventScript("root", "bounded", steps: ["a", "b", "c"])
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.finish("b", at: 4)
    script.finish("a", at: 6)
    script.start("c", because: (.permit, "a"), at: 6)
    script.finish("c", at: 9)
    script.finish("root", at: 9)
    #expect(script.record().criticalPath == ["a", "c"])
  }

  @Test func `the last of several awaited steps is critical`() {
    var script = EventScript("root", "graph", steps: ["a", "b", "c"])
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.finish("a", at: 5)
    script.finish("b", at: 8)
    script.start("c", after: "b", "a", at: 8)
    script.finish("c", at: 9)
    script.finish("root", at: 9)
    #expect(script.record().criticalPath == ["b", "c"])
  }

  @Test func `the next step of a pattern waited for the step that woke the pattern`() {
    var script = EventScript()
    script.submit("root", "group", at: 0)
    script.start("root", at: 0)
    for queue in ["p", "q"] { script.submit(queue, "serial.semaphore", in: "root", at: 0) }
    for (queue, steps) in [("p", ["a", "b"]), ("q", ["c", "d"])] {
      script.start(queue, at: 0)
      for step in steps { script.submit(step, in: queue, at: 0) }
      script.start(steps[0], at: 0)
      script.block(queue, at: 0)
    }
    script.finish("a", at: 20)
    // c finishes later than the step that b waits for, but b does not depend on c.
    script.finish("c", at: 20)
    script.unblock("p", by: "a", at: 20)
    script.start("b", because: (.wakeUp, "a"), at: 20)
    script.unblock("q", by: "c", at: 20)
    script.start("d", because: (.wakeUp, "c"), at: 20)
    script.finish("d", at: 25)
    script.finish("q", at: 25)
    script.finish("b", at: 30)
    script.finish("p", at: 30)
    script.finish("root", at: 30)
    #expect(script.record().criticalPath == ["a", "b"])
    #expect(
      script.record().edges == [
        EdgeRecord(from: "a", to: "b", kind: .woke), EdgeRecord(from: "c", to: "d", kind: .woke),
        EdgeRecord(from: "a", to: "p", kind: .woke), EdgeRecord(from: "c", to: "q", kind: .woke),
      ])
  }

  /// b ended before its pattern waited for it: no thread was blocked, and the permit was already available.
  @Test func `the next step of a pattern waited for the step that gave the permit`() throws {
    var script = EventScript()
    script.submit("root", "group", at: 0)
    script.start("root", at: 0)
    script.submit("queue", "serial.semaphore", in: "root", at: 0)
    script.submit("other", in: "root", at: 0)
    script.start("queue", at: 0)
    for step in ["a", "b", "c"] { script.submit(step, in: "queue", at: 0) }
    script.start("a", at: 0)
    script.start("other", at: 0)
    script.block("queue", at: 0)
    script.finish("a", at: 20)
    script.unblock("queue", by: "a", at: 20)
    script.start("b", because: (.wakeUp, "a"), at: 20)
    script.finish("b", at: 51)
    // It ends later than b, but the queue does not depend on it.
    script.finish("other", at: 51)
    script.start("c", because: (.permit, "b"), at: 52)
    script.finish("c", at: 62)
    script.finish("queue", at: 62)
    script.finish("root", at: 62)
    #expect(script.record().criticalPath == ["a", "b", "c"])
    let run = SavedRunsTests.run("run", script)
    for (step, wait) in [("b", HandOver.Kind.woke), ("c", .permit)] {
      let account = try #require(StepAccount.accounts(of: "queue/\(step)", in: run).first)
      #expect(account.waits.last?.kind == wait, "\(account)")
      #expect(account.waits.last?.from == "queue/\(step == "b" ? "a" : "b")", "\(account)")
    }
  }

  /// Both permits are taken before either of the next parts has started on its lane.
  @Test func `permits given at the same time let parts start in order`() {
    var script = EventScript("root", "bounded.semaphore", steps: ["a", "b", "c", "d"])
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.block("root", at: 0)
    script.finish("a", at: 10)
    script.finish("b", at: 10)
    script.unblock("root", by: "a", at: 10)
    script.start("c", because: (.wakeUp, "a"), at: 10)
    script.start("d", because: (.permit, "b"), at: 10)
    script.finish("c", at: 15)
    script.finish("d", at: 30)
    script.finish("root", at: 30)
    #expect(script.record().criticalPath == ["b", "d"])
    let run = SavedRunsTests.run("run", script)
    let waits = ["c", "d"].map { StepAccount.accounts(of: $0, in: run).first?.waits.last }
    #expect(waits.map { $0?.from } == ["a", "b"])
    #expect(waits.map { $0?.kind } == [.woke, .permit])
    #expect(waits.map { $0?.to } == ["c", "d"])
    #expect(StepAccount.accounts(of: "a", in: run).first?.slack == .ms(15))
    #expect(StepAccount.accounts(of: "b", in: run).first?.slack == 0)
  }

  /// Another part ends between the wake-up and the start. The cause names the part that released the permit.
  @Test func `a part that ends between a wake-up and the start is not a cause`() {
    var script = EventScript("root", "bounded.semaphore", steps: ["a", "b", "c"])
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.block("root", at: 0)
    script.finish("a", at: 10)
    script.unblock("root", by: "a", at: 11)
    script.finish("b", at: 12)
    script.start("c", because: (.wakeUp, "a"), at: 13)
    script.finish("c", at: 20)
    script.finish("root", at: 20)
    #expect(script.record().criticalPath == ["a", "c"])
  }

  @Test func `the step that woke another comes before it`() {
    var script = EventScript("root", "group", steps: ["a", "b", "c"])
    for key in ["a", "b", "c"] { script.start(key, at: 0) }
    script.block("b", at: 0)
    script.finish("a", at: 10)
    script.finish("c", at: 10)
    script.unblock("b", by: "a", at: 10)
    script.finish("b", at: 12)
    script.finish("root", at: 12)
    #expect(script.record().criticalPath == ["a", "b"])
  }

  @Test func `the winner of a race is critical, not the step that it cancelled`() {
    var script = EventScript("root", "race", steps: ["a", "b"])
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.finish("a", at: 10)
    script.finish("b", .cancelled, because: (.cancellation, "a"), cancelled: 10, at: 10)
    script.finish("root", awaitsAll: false, at: 10)
    #expect(script.record().criticalPath == ["a"])
  }
}
