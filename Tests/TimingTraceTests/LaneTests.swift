import Testing
import TimingTrace

/// Lanes: which steps worked on them, and which held them.
@Suite struct LaneTests {
  @Test func `blocked time is counted once per lane and reported once per step`() {
    var script = EventScript("root", "serial.semaphore", steps: ["a", "b"])
    script.start("a", at: 0)
    script.block("root", at: 0)
    script.lane = Lane(number: 9)
    script.finish("a", at: 10)
    script.lane = Lane(number: 7)
    script.unblock("root", at: 10)
    script.start("b", at: 10)
    script.block("root", at: 10)
    // Blocking a blocked thread again changes nothing.
    script.block("b", at: 12)
    script.unblock("b", at: 14)
    script.finish("b", at: 15)
    script.unblock("root", at: 15)
    script.finish("root", at: 15)
    let record = script.record()
    #expect(record.blocked == .ms(15))
    #expect(record.threads == 2)
    #expect(record.intervals.map(\.from) == [0, .ms(10)])
    #expect(record.intervals.map(\.to) == [.ms(10), .ms(15)])
    #expect(record.intervals.allSatisfy { $0.step == "root" && $0.lane == "pool-1" })
    #expect(record.lints.map(\.rule) == ["blocked-thread"])
    #expect(record.lints.first?.step == "root")
    #expect(record.lints.first?.message.contains("15ms in 2 stretches") == true)
  }

  @Test func `a starved step is reported with the steps that block workers`() {
    var script = EventScript()
    script.submit("root", "group", at: 0)
    script.start("root", at: 0)
    for key in ["q1", "q2", "late"] { script.submit(key, "serial.semaphore", in: "root", at: 0) }
    for (index, key) in ["q1", "q2"].enumerated() {
      script.lane = Lane(number: UInt32(index + 1))
      script.start(key, at: 0)
      script.block(key, at: 0)
    }
    script.misuse("starvation", "late", at: 0)
    script.unblock("q2", at: 5)
    let lint = script.record(outcome: .unfinished).lints.first { $0.rule == "starvation" }
    #expect(lint?.step == "late")
    #expect(
      lint?.message
        == "“late” “late” did it, by “q1” and “q2”; let those steps wait without a thread")
  }

  @Test func `work is summed and determines the lane`() {
    var script = EventScript()
    script.submit("root", "group", at: 0)
    script.start("root", at: 0)
    script.submit("a", "work", in: "root", at: 0)
    script.start("a", at: 0)
    script.lane = Lane(number: 3)
    script.work("a", for: 10, at: 10)
    script.finish("a", at: 10)
    script.finish("root", at: 10)
    let record = script.record()
    #expect(record.work == .ms(10))
    #expect(record.steps[0].lane == "pool-2")
    #expect(record.steps[0].work == .ms(10))
  }

  @Test func `main is main, and other lanes are numbered as they appear`() {
    var script = EventScript()
    script.lane = Lane(number: 40)
    script.submit("root", "group", at: 0)
    script.start("root", at: 0)
    for key in ["a", "b", "c"] { script.submit(key, in: "root", at: 0) }
    script.lane = .main
    script.start("a", at: 0)
    script.lane = Lane(number: 12)
    script.start("b", at: 0)
    script.lane = Lane(number: 40)
    script.start("c", at: 0)
    let record = script.record(outcome: .unfinished)
    #expect(record.steps.map(\.lane) == ["main", "pool-2", "pool-1"])
    #expect(record.threads == 3)
  }
}
