import Testing
import TimingTrace

/// Which steps the makespan is made of.
@Suite struct CriticalPathTests {
  @Test func withoutEdgesTheLastToFinishWhileAStepWaitedCounts() {
    var script = EventScript("root", "bounded", steps: ["a", "b", "c"])
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.finish("b", at: 4)
    script.finish("a", at: 6)
    script.start("c", at: 6)
    script.finish("c", at: 9)
    script.finish("root", at: 9)
    #expect(script.record().criticalPath == ["a", "c"])
  }

  @Test func ofSeveralEdgesTheLastFinisherBinds() {
    var script = EventScript("root", "graph", steps: ["a", "b", "c"])
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.finish("a", at: 5)
    script.finish("b", at: 8)
    script.edge(.dependency, "b", "c", at: 8)
    script.edge(.dependency, "a", "c", at: 8)
    script.start("c", at: 8)
    script.finish("c", at: 9)
    script.finish("root", at: 9)
    #expect(script.record().criticalPath == ["b", "c"])
  }

  @Test func whoWokeAPatternIsWhatItsNextStepWaitedFor() {
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
    // It finishes later than what b waits for, and has nothing to do with it.
    script.finish("c", at: 20)
    script.edge(.woke, "a", "p", at: 20)
    script.unblock("p", at: 20)
    script.start("b", at: 20)
    script.edge(.woke, "c", "q", at: 20)
    script.unblock("q", at: 20)
    script.start("d", at: 20)
    script.finish("d", at: 25)
    script.finish("q", at: 25)
    script.finish("b", at: 30)
    script.finish("p", at: 30)
    script.finish("root", at: 30)
    #expect(script.record().criticalPath == ["a", "b"])
    #expect(script.record().edges.map(\.kind) == [.woke, .woke])
  }

  /// b ended before its pattern got to wait for it: nobody woke it then, and what last woke it is long gone.
  @Test func whoEndedSinceThePatternWasWokenIsWhatItsNextStepWaitedFor() {
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
    script.unblock("queue", at: 20)
    script.edge(.woke, "a", "queue", at: 20)
    script.start("b", at: 20)
    script.finish("b", at: 51)
    // It ends later than b, and the queue has nothing to do with it.
    script.finish("other", at: 51)
    script.start("c", at: 52)
    script.finish("c", at: 62)
    script.finish("queue", at: 62)
    script.finish("root", at: 62)
    #expect(script.record().criticalPath == ["a", "b", "c"])
    let run = SavedRunsTests.run("run", script)
    let account = StepAccount.accounts(of: "queue/c", in: run).first
    #expect(account?.waits.last?.from == "queue/b", "\(String(describing: account))")
  }

  /// Both ended before their pattern got to wait for them: no thread was ever woken, and one parks only later.
  @Test(arguments: [false, true])
  func aPatternThatIsNeverWokenWaitsForItsOwnParts(isParkedMeanwhile: Bool) {
    var script = EventScript()
    script.submit("root", "group", at: 0)
    script.start("root", at: 0)
    script.submit("queue", "serial.semaphore", in: "root", at: 0)
    script.submit("other", in: "root", at: 0)
    script.start("queue", at: 0)
    script.submit("a", in: "queue", at: 0)
    script.submit("b", in: "queue", at: 0)
    script.start("a", at: 0)
    script.start("other", at: 0)
    script.finish("a", at: 20)
    // It waits for all of them, and whoever has a worker starts the next one.
    if isParkedMeanwhile { script.block("queue", at: 20) }
    script.finish("other", at: 21)
    script.start("b", at: 22)
    if !isParkedMeanwhile { script.block("queue", at: 22) }
    script.finish("b", at: 62)
    script.unblock("queue", at: 62)
    script.finish("queue", at: 62)
    script.finish("root", at: 62)
    #expect(script.record().criticalPath == [isParkedMeanwhile ? "other" : "a", "b"])
  }

  @Test func whoWokeAStepComesBeforeIt() {
    var script = EventScript("root", "group", steps: ["a", "b", "c"])
    for key in ["a", "b", "c"] { script.start(key, at: 0) }
    script.block("b", at: 0)
    script.finish("a", at: 10)
    script.finish("c", at: 10)
    script.edge(.woke, "a", "b", at: 10)
    script.unblock("b", at: 10)
    script.finish("b", at: 12)
    script.finish("root", at: 12)
    #expect(script.record().criticalPath == ["a", "b"])
  }

  @Test func theWinnerOfARaceIsCriticalNotTheOneItCalledOff() {
    var script = EventScript("root", "race", steps: ["a", "b"])
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.finish("a", at: 10)
    script.finish("b", .cancelled, at: 10)
    script.finish("root", at: 10)
    #expect(script.record().criticalPath == ["a"])
  }
}
