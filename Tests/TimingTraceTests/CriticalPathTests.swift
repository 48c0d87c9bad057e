import Testing
import TimingTrace

/// The steps that make up the makespan.
@Suite struct CriticalPathTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let trace: String
    let path: [String]

    init(_ description: String, _ trace: String, path: [String]) {
      (testDescription, self.trace, self.path) = (description, trace, path)
    }
  }

  @Test(arguments: [
    Case(
      "the step that gave the permit", "root: bounded { a: 0..6; b: 0..4; c: 6..9 permit a }",
      path: ["a", "c"]),
    Case(
      "the last of several awaited steps", "root: graph { a: 0..5; b: 0..8; c: 8..9 after b,a }",
      path: ["b", "c"]),
    // Another part ends between the wake-up and the start. The cause names the part that released the permit.
    Case(
      "a part that ends between a wake-up and the start is not a cause",
      """
      root: bounded.semaphore blocked 0..11 by a { a: 0..10; b: 0..12; c: 13..20 woken a }
      """, path: ["a", "c"]),
    Case(
      "the step that woke another comes before it",
      "root: group { a: 0..10; b: 0..12 blocked 0..10 by a; c: 0..10 }", path: ["a", "b"]),
    Case(
      "the winner of a race, not the step that it cancelled",
      "root: race early { a: 0..10; b: 0..10 cancelled by a }", path: ["a"]),
  ])
  func `each critical step leads to the next`(_ example: Case) {
    #expect(EventScript(example.trace).record().criticalPath == example.path)
  }

  /// c finishes later than the step that b waits for, but b does not depend on c.
  @Test func `the next step of a pattern waited for the step that woke the pattern`() {
    let record = EventScript(
      """
      root: group {
        p: serial.semaphore blocked 0..20 by a { a: 0..20; b: 20..30 woken a }
        q: serial.semaphore blocked 0..20 by c { c: 0..20; d: 20..25 woken c }
      }
      """
    ).record()
    #expect(record.criticalPath == ["a", "b"])
    #expect(
      record.edges == [
        EdgeRecord(from: "a", to: "b", kind: .woke), EdgeRecord(from: "c", to: "d", kind: .woke),
        EdgeRecord(from: "a", to: "p", kind: .woke), EdgeRecord(from: "c", to: "q", kind: .woke),
      ])
  }

  /// b ended before its pattern waited for it: no thread was blocked, and the permit was already available.
  @Test func `the next step of a pattern waited for the step that gave the permit`() throws {
    // The other step ends together with b, but the queue does not depend on it.
    let script = EventScript(
      """
      root: group {
        queue: serial.semaphore blocked 0..20 by a { a: 0..20; b: 20..51 woken a; c: 52..62 permit b }
        other: 0..51
      }
      """)
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
    let script = EventScript(
      """
      root: bounded.semaphore blocked 0..10 by a {
        a: 0..10; b: 0..10; c: 10..15 woken a; d: 10..30 permit b
      }
      """)
    #expect(script.record().criticalPath == ["b", "d"])
    let run = SavedRunsTests.run("run", script)
    let waits = ["c", "d"].map { StepAccount.accounts(of: $0, in: run).first?.waits.last }
    #expect(waits.map { $0?.from } == ["a", "b"])
    #expect(waits.map { $0?.kind } == [.woke, .permit])
    #expect(waits.map { $0?.to } == ["c", "d"])
    #expect(StepAccount.accounts(of: "a", in: run).first?.slack == .ms(15))
    #expect(StepAccount.accounts(of: "b", in: run).first?.slack == 0)
  }
}
