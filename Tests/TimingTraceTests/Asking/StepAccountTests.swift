import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// The waits of one step.
@Suite struct StepAccountTests {
  @Test func `a step names everything it waited for, and until when`() throws {
    let script = EventScript(
      "g: graph { a: 0..10; b: 0..5; c: 12..20 after b permit a blocked 12..14 by a }")
    let record = script.record()
    let account = try #require(
      StepAccount.accounts(of: "c", in: record, events: script.events).first)
    #expect(account.parent == "g")
    #expect(account.step == record.steps[2])
    #expect(
      account.waits == [
        .init(kind: .dependency, from: "b", to: "c", until: .ms(5)),
        .init(kind: .permit, from: "a", to: "c", until: .ms(10)),
      ])
    #expect(account.ready == .ms(10))
    #expect(
      account.blockages == [.init(lane: "pool-1", from: .ms(12), to: .ms(14), ender: "a")])
    #expect(account.slack == 0)
    let other = try #require(StepAccount.accounts(of: "b", in: record, events: script.events).first)
    // Even if b had ended as late as 12 ms, the thread of c would have been blocked until 14 ms.
    #expect(other.slack == .ms(7))
    #expect(other.waits.isEmpty)
    #expect(StepAccount.accounts(of: "d", in: record, events: script.events).isEmpty)
  }

  @Test func `each time in which a lane was blocked names its call`() throws {
    var script = EventScript("run", "group", steps: ["a"])
    script.start("a", at: 0)
    for (call, from, to) in [("in usleep", 1, 2), ("in pthread_mutex_lock", 3, 13)] {
      script.block("a", call, at: Int64(from))
      script.unblock("a", at: Int64(to))
    }
    script.finish("a", at: 14)
    script.finish("run", at: 14)
    let record = script.record()
    let account = try #require(
      StepAccount.accounts(of: "a", in: record, events: script.events).first)
    #expect(account.blockages.map(\.call) == ["in usleep", "in pthread_mutex_lock"])
    let lint = try #require(record.lints.first { $0.rule == "blocked-thread" })
    #expect(
      lint.message.hasPrefix(
        "“a” blocked a thread for 11ms in 2 stretches, the longest for 10ms in pthread_mutex_lock;"
      ))
  }

  @Test func `a task waits for a thread, not for the task that made it`() throws {
    var script = EventScript()
    script.submit("main", role: .task, at: 0)
    script.start("main", at: 0)
    script.submit("loose", role: .task, by: "main", at: 5)
    script.lane = Lane(number: 8)
    script.start("loose", at: 9)
    script.lane = Lane(number: 9)
    script.suspend("loose", at: 10)
    script.resume("loose", because: (.itself, "loose"), at: 11)
    script.finish("loose", at: 12)
    script.finish("main", at: 12)
    let account = try #require(
      StepAccount.accounts(of: "loose", in: script.record(), events: script.events).first)
    #expect(account.waits.isEmpty && account.ready == .ms(5))
    #expect(account.startLane == "pool-2")
  }

  @Test func `the time before a cancellation from outside belongs to the cancelled step`() throws {
    var script = EventScript("run", "serial", steps: ["a", "b"])
    script.start("a", at: 1)
    script.finish(
      "a", .cancelled, because: (.cancellation, "outside"), cancelled: 90, at: 100)
    script.finish("run", .cancelled, because: (.end, "a"), at: 100)
    let record = script.record()
    let analysis = Analysis(of: record, events: script.events)
    #expect(analysis.criticalPath.map { [$0.from, $0.time] } == [[.ms(1), .ms(99)]])
    let account = try #require(
      StepAccount.accounts(of: "a", in: record, events: script.events).first)
    #expect(account.cancellation == .init(by: nil, time: .ms(90)))
  }
}
