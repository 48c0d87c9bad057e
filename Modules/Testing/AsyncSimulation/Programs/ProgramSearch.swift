package import SwiftTasks

/// The search for a schedule under which a whole program fails, run by run.
///
/// Each run is a process of its own, which ``ProgramRun`` leads. What the search learns is what is known of that
/// process when it has ended.
package struct ProgramSearch {
  private var progress: SearchProgress

  package init(_ exploration: Exploration) { progress = SearchProgress(exploration) }

  /// What to run next; nil when the search is done.
  package mutating func next() -> ProgramRun.Plan? { progress.next().map(ProgramRun.Plan.init) }

  /// - Parameter isOverdue: whether the run took too long. Any other would, too.
  package mutating func learn(_ outcome: ProgramOutcome, isOverdue: Bool) {
    progress.learn(outcome.ofTrial)
    if isOverdue { progress.end(.overdue) }
  }

  /// Ends the search early.
  package mutating func interrupt() { progress.interrupt() }

  /// How many schedules have been tried.
  package var triedCount: Int { progress.triedCount }
  /// What is known so far.
  package var report: ExplorationReport { progress.report }
}

/// What is known of one run of a program.
package struct ProgramOutcome: Sendable {
  /// What did not hold.
  package var finding: Finding?
  /// The choices, in order, and how many candidates each had, if that was kept.
  package var drawn: [UInt32]
  package var counts: [UInt32]
  package var eventCount: Int
  package var narration: Narration?

  /// Where tasks waited for threads outside of the simulation: their functions, the innermost first.
  package var awaitedOutside: Set<[CodeAddress]>

  package init(
    finding: Finding?, drawn: [UInt32], counts: [UInt32], eventCount: Int, narration: Narration?,
    awaitedOutside: Set<[CodeAddress]>
  ) {
    self.finding = finding
    self.awaitedOutside = awaitedOutside
    self.drawn = drawn
    self.counts = counts
    self.eventCount = eventCount
    self.narration = narration
  }

  fileprivate var ofTrial: TrialRun.Outcome {
    TrialRun.Outcome(
      finding: finding, choices: Choices(drawn: drawn, counts: counts), point: nil,
      eventCount: eventCount, startCount: 0, awaitedOutside: awaitedOutside, parkedCount: 0,
      narration: narration,
      isInterrupted: false)
  }
}
