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
}
