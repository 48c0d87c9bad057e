import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

/// Findings about patterns that commit at the end of a turn and are cancelled.
@Suite struct CommitLintTests {
  /// A commit on the pool at 3 ms, by a pattern with the given outcome.
  private static func script(
    flushedAt flush: Int64? = nil, _ outcome: TraceEvent.Outcome = .cancelled, at end: Int64 = 300
  ) -> EventScript {
    var script = EventScript()
    script.submit("transaction.yy", "transaction.yy", at: 0)
    script.start("transaction.yy", at: 0)
    script.submit("a", "value", in: "transaction.yy", at: 0)
    script.mark("committed", "a", role: .committed, of: "transaction.yy", at: 3)
    if let flush { script.mark("flushed", role: .flushed, of: "transaction.yy", at: flush) }
    script.finish("transaction.yy", outcome, at: end)
    return script
  }

  private static func lints(_ script: EventScript) -> [LintRecord] {
    script.record().lints.filter { $0.rule.hasPrefix("lost-") }
  }

  @Test func `cancelling a pattern while its commit waits for a turn is a finding`() throws {
    let lints = Self.lints(Self.script())
    let lint = try #require(lints.first)
    #expect(lints.count == 1 && lint.rule == "lost-wakeup")
    #expect(
      lint.message.hasSuffix(
        "at 3ms, and nothing woke the run loop for it: it was cancelled after 297ms, before the "
          + "loop took a turn; wake the loop for the first commit, as transaction does"))
  }

  @Test(arguments: [
    // A turn has come, or there was not enough time for one.
    script(flushedAt: 3), script(flushedAt: 299), script(at: 3),
    // A failing step ends the others for a reason that has nothing to do with turns.
    script(.failure),
  ])
  func `a correct commit is not a finding`(script: EventScript) {
    #expect(Self.lints(script).isEmpty)
  }
}
