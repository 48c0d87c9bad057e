@_exported public import AsyncSimulation

/// The laws of a pattern, each a search for a schedule under which the pattern breaks it.
///
/// ```swift
/// @Test func `my pattern keeps its laws`() async {
///   let report = await PatternLaws(of: MyPattern.self).report()
///   #expect(report.isAsStated, "\(report)")
/// }
/// ```
///
/// The pattern is run on the virtual clock, again and again, over steps that are made up from its
/// manual: steps that sleep, that complete at once, work, fail, complete twice, let go of their
/// completion, never complete, do not heed cancellation. What could happen in any order does so in many
/// orders; runs are cancelled between any two events, steps fail as they start, completions come late.
/// What a search finds is made as simple as it gets, and told event by event.
///
/// A law that no schedule breaks counts as kept: it is a test, not a proof. The same search of the same
/// pattern finds the same, unless its code escapes the runtime.
public struct PatternLaws: Sendable {
  /// What is held to the laws.
  public let pattern: any AsyncPattern.Type
  /// What it is made with; parameters that it needs and that are missing here are made up.
  public var arguments: Arguments
  /// How many schedules each law is searched with, at most; five times as many where the manual says
  /// that the pattern breaks it.
  public var schedules: Int
  /// Decides which schedules are tried.
  public var seed: UInt64
  /// How many workers the pool has.
  public var workers: Int
  /// How much real time the search of each law may take; then what is left of its schedules is left out.
  public var timeLimit: Duration

  /// - Parameters:
  ///   - pattern: what is held to the laws.
  ///   - arguments: of a parameter that is needed and missing here, the smallest value that makes sense
  ///     is taken.
  ///   - schedules: how many each law is searched with, at most.
  public init(
    of pattern: any AsyncPattern.Type, arguments: Arguments = Arguments(), schedules: Int = 300,
    seed: UInt64 = 0, workers: Int = 4, timeLimit: Duration = .seconds(30)
  ) {
    self.pattern = pattern
    self.arguments = arguments
    self.schedules = schedules
    self.seed = seed
    self.workers = workers
    self.timeLimit = timeLimit
  }

  /// Searches for a schedule under which the pattern breaks `law`; cancelling the task ends it early.
  public func check(_ law: Law) async -> LawVerdict {
    switch law {
    case .completesExactlyOnce: await completesExactlyOnce()
    case .startsNoStepTwice: await startsNoStepTwice()
    case .startsNothingAfterCancellation: await startsNothingAfterCancellation()
    case .deliversFailure: await deliversFailure()
    case .leavesNothingBehind: await leavesNothingBehind()
    case .isDeterministic: await isDeterministic()
    case .blocksNoThread: await blocksNoThread()
    }
  }

  /// All laws, one after another.
  ///
  /// - Parameter onVerdict: told of each as soon as it is there.
  public func report(
    onVerdict: @Sendable (LawVerdict) -> Void = { _ in }
  ) async -> LawReport {
    var report = LawReport(pattern: manual.name)
    for law in Law.allCases {
      let isStuck = report.verdicts.contains { $0.counterexample?.isStuck == true }
      let verdict =
        isStuck
        ? LawVerdict(law, .skipped, remark: "left out, since it does not come to an end")
        : await check(law)
      report.verdicts.append(verdict)
      onVerdict(verdict)
    }
    return report
  }

  var manual: Manual { pattern.manual }
}
