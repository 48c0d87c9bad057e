@_exported public import AsyncSimulation

/// The laws of a pattern. Each law is checked by a search for a schedule under which the pattern breaks it.
///
/// ```swift
/// @Test func `my pattern keeps its laws`() async {
///   let report = await PatternLaws(of: MyPattern.self).report()
///   #expect(report.isAsStated, "\(report)")
/// }
/// ```
///
/// The pattern runs on the virtual clock, again and again, with steps that are made up from its manual. The steps
/// sleep, complete immediately, work, fail, complete twice, release their completion without calling it, never
/// complete, or ignore cancellation. Events that could happen in any order happen in many orders. Runs are cancelled
/// between any two events, steps fail as they start, and completions come late. The search makes its finding as simple
/// as possible, and describes it event by event.
///
/// A law that no schedule breaks counts as kept. That is a test, not a proof. The same search of the same pattern has
/// the same result, unless the pattern's code escapes the runtime.
public struct PatternLaws: Sendable {
  /// The pattern that is checked.
  public let pattern: any AsyncPattern.Type
  /// The arguments of the pattern. Required arguments that are missing here are made up.
  public var arguments: Arguments
  /// The maximum number of schedules for each law, but each workload gets at least one. If the manual says that the
  /// pattern breaks a law, the maximum for that law is five times as high.
  public var schedules: Int
  /// Decides which schedules are tried.
  public var seed: UInt64
  /// How many workers the pool has.
  public var workers: Int
  /// How much real time the search for each law may take. After that, the remaining schedules are skipped.
  public var timeLimit: Duration

  /// - Parameters:
  ///   - pattern: the pattern to check.
  ///   - arguments: the arguments of the pattern. A required argument that is missing gets the smallest sensible value.
  ///   - schedules: the maximum number for each law.
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

  /// Searches for a schedule under which the pattern breaks `law`. Cancelling the task ends the search early.
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

  /// Checks all laws, one after another. Once a law has shown that the pattern does not end, the others are skipped.
  ///
  /// - Parameter onVerdict: called with each verdict as soon as it is known.
  public func report(
    onVerdict: @Sendable (LawVerdict) -> Void = { _ in }
  ) async -> LawReport {
    var report = LawReport(pattern: manual.name)
    for law in Law.allCases {
      let isStuck = report.verdicts.contains { $0.counterexample?.isStuck == true }
      let verdict =
        isStuck
        ? LawVerdict(law, .skipped, remark: "left out, since the pattern does not end")
        : await check(law)
      report.verdicts.append(verdict)
      onVerdict(verdict)
    }
    return report
  }

  var manual: Manual { pattern.manual }
}
