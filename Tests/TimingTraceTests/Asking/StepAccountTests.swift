import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// The waits of one step.
@Suite struct StepAccountTests {
  @Test func `a step names everything it waited for, and until when`() throws {
    var script = EventScript("g", "graph", steps: ["a", "b", "c"])
    script.start("a", at: 0)
    script.start("b", at: 0)
    script.finish("b", at: 5)
    script.finish("a", at: 10)
    script.await("c", (.end, "b"), at: 12)
    script.start("c", because: (.permit, "a"), at: 12)
    script.block("c", at: 12)
    script.unblock("c", by: "a", at: 14)
    script.finish("c", at: 20)
    script.finish("g", at: 20)
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
    // Even if it had ended as late as 12 ms, its thread would have been blocked until 14 ms.
    #expect(other.slack == .ms(7))
    #expect(other.waits.isEmpty)
    #expect(StepAccount.accounts(of: "d", in: record, events: script.events).isEmpty)
  }
}
