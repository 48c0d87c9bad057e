import AsyncPatternTesting
import Foundation
import Testing

/// Checks that a pattern with a deliberate flaw fails the law that it breaks, and no other law.
@Suite struct BrokenPatternTests {
  struct Broken: Sendable, CustomTestStringConvertible {
    let pattern: any AsyncPattern.Type
    let law: Law
    /// The expected description of the violation.
    let detail: String

    init<Flaw: SequenceFlaw>(_ flaw: Flaw.Type, _ law: Law, _ detail: String) {
      pattern = Sequence<Flaw>.self
      self.law = law
      self.detail = detail
    }

    var testDescription: String { pattern.manual.name }
  }

  static let broken = [
    Broken(CompletesTwice.self, .completesExactlyOnce, "the pattern called its completion again"),
    Broken(
      DropsItsCompletionWhenCancelled.self, .completesExactlyOnce,
      "the pattern released its completion without calling it"),
    Broken(NeverCompletesWithoutSteps.self, .completesExactlyOnce, "the pattern never completed"),
    Broken(StartsTheLastTwice.self, .startsNoStepTwice, "the pattern started “c” 2 times"),
    Broken(
      AsksWhenCancelled.self, .startsNothingAfterCancellation,
      "the pattern requested the start of “b”"),
    Broken(SwallowsFailures.self, .deliversFailure, "“a” failed, but the pattern succeeded"),
    Broken(ChangesFailures.self, .deliversFailure, "the pattern failed with “something failed”"),
    Broken(LeavesATimer.self, .leavesNothingBehind, "one of the pattern’s timers fired at 10s"),
    Broken(
      KeepsAPermit.self, .leavesNothingBehind,
      "a permit of the pattern’s semaphores was not returned"),
    Broken(StaysInTheRunLoop.self, .leavesNothingBehind, "at the end of each turn"),
    Broken(HoldsTheRunOpen.self, .leavesNothingBehind, "the pattern holds the run open"),
    Broken(TossesACoin.self, .isDeterministic, "another run of the same schedule"),
    Broken(LeavesTheRuntime.self, .isDeterministic, "outside the simulation"),
    Broken(BlocksAThread.self, .blocksNoThread, "was blocked from 0ns on"),
  ]

  @Test(arguments: broken) func `a flaw breaks its law and no other`(_ broken: Broken) async {
    let report = await PatternLaws(of: broken.pattern).report()
    #expect(report.brokenLaws == [broken.law], "\(report)")
    #expect(!report.isAsStated)
    let verdict = report[broken.law]
    #expect(verdict?.judgement == .broken)
    #expect(verdict?.counterexample?.finding.detail.contains(broken.detail) == true, "\(report)")
    #expect(verdict?.counterexample?.moments.isEmpty == false, "the moments show what happened")
    #expect(verdict?.counterexample?.schedule != nil)
  }

  @Test func `a pattern without a flaw keeps all laws`() async {
    let report = await PatternLaws(of: Sequence<Flawless>.self).report()
    #expect(report.verdicts.map(\.law) == Law.allCases)
    #expect(report.verdicts.allSatisfy { $0.judgement == .kept && $0.schedules > 0 }, "\(report)")
    #expect(report.isAsStated)
  }

  @Test func `a violation that the manual states is found`() async {
    let report = await PatternLaws(of: Sequence<BlocksAThreadOnPurpose>.self).report()
    #expect(report.isAsStated, "\(report)")
    #expect(report[.blocksNoThread]?.judgement == .brokenOnPurpose)
  }

  @Test(arguments: [
    (Sequence<SaysItBlocks>.self as any AsyncPattern.Type, Law.blocksNoThread),
    (Sequence<SaysItIsRandom>.self, .isDeterministic),
  ])
  func `a wrong claim in a manual is found`(_ pattern: any AsyncPattern.Type, _ law: Law) async {
    let report = await PatternLaws(of: pattern).report()
    #expect(report[law]?.judgement == .notBroken)
    #expect(!report.isAsStated)
    #expect(report.brokenLaws.isEmpty, "\(report)")
  }

  @Test func `a counterexample is reproduced under its schedule`() async throws {
    let verdict = await PatternLaws(of: Sequence<AsksWhenCancelled>.self)
      .startsNothingAfterCancellation()
    let counterexample = try #require(verdict.counterexample)
    #expect(counterexample.isReproducible)
    #expect(counterexample.schedule?.injection?.kind == .cancel)
    #expect(counterexample.moments.contains { $0.actor == "the run is cancelled" })
    #expect("\(verdict)".contains("schedule: 4 workers, cancel at 1"))
  }

  @Test func `the same search gives the same verdict`() async {
    let laws = PatternLaws(of: Sequence<AsksWhenCancelled>.self, schedules: 50, seed: 7)
    let first = await laws.check(.startsNothingAfterCancellation)
    let second = await laws.check(.startsNothingAfterCancellation)
    #expect("\(first)" == "\(second)")
  }

  /// Blocks its thread in real time until the test ends.
  struct Stuck: AsyncPattern {
    static let manual = Manual(name: "stuck", summary: "Waits outside of the runtime.")
    private static let condition = NSCondition()
    private static let isReleased = Locked(false)

    static func release() {
      isReleased.withLock { $0 = true }
      condition.withLock { condition.broadcast() }
    }

    init(_ arguments: Arguments) {}

    func start(
      _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
    ) {
      Self.condition.withLock {
        while !Self.isReleased.withLock({ $0 }) { Self.condition.wait() }
      }
      completion(.success(input))
    }
  }

  @Test func `code that does not return is abandoned`() async {
    defer { Stuck.release() }
    // The limit is long enough for the pattern to start. Otherwise the search would be cancelled before it hangs.
    let report = await PatternLaws(of: Stuck.self, timeLimit: .seconds(1)).report()
    #expect(report[.completesExactlyOnce]?.counterexample?.hasHung == true)
    #expect(report.verdicts.dropFirst().allSatisfy { $0.judgement == .skipped })
    #expect(!report.isAsStated)
  }

  /// Schedules itself without end.
  struct Endless: AsyncPattern {
    static let manual = Manual(name: "endless", summary: "Never ends.")

    init(_ arguments: Arguments) {}

    func start(
      _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
    ) {
      scope.runtime.pool.schedule(after: .milliseconds(1)) {
        start(steps, input: input, in: scope, completion: completion)
      }
    }
  }

  @Test func `a run that never ends in virtual time is found`() async {
    let report = await PatternLaws(of: Endless.self, schedules: 10).report()
    let verdict = report[.completesExactlyOnce]
    #expect(verdict?.judgement == .broken)
    #expect(verdict?.counterexample?.finding.detail.hasPrefix("the pattern does not end") == true)
    #expect(report.verdicts.dropFirst().allSatisfy { $0.judgement == .skipped })
    #expect("\(report)".split(separator: "\n").count < 80, "thousands of lines are too many")
  }

  @Test func `a cancelled search reports that it was cancelled`() async {
    let search = Task {
      await PatternLaws(of: Sequence<Flawless>.self, schedules: 1 << 40).report()
    }
    search.cancel()
    let report = await search.value
    #expect(report.verdicts.allSatisfy { $0.judgement == .skipped })
    #expect(report[.blocksNoThread]?.remark == "cancelled")
  }
}
