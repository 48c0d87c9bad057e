package import SwiftTasks

/// The search for a schedule under which a whole program fails, run by run.
///
/// Each run is a process of its own, which ``ProgramRun`` controls. The search learns the outcome of a run when its
/// process has ended.
package struct ProgramSearch {
  private var progress: SearchProgress

  package init(_ exploration: Exploration) { progress = SearchProgress(exploration) }

  /// The plan of the next run. Several runs may be in progress at the same time.
  package mutating func next() -> NextPlan<ProgramRun.Plan> {
    progress.next().map(ProgramRun.Plan.init)
  }

  /// - Parameter isOverdue: whether the run took too long. Then the search ends, since any other run would take too
  ///   long as well.
  package mutating func learn(
    _ outcome: ProgramOutcome, of plan: ProgramRun.Plan, isOverdue: Bool
  ) {
    progress.learn(outcome.ofTrial(plan.plan.number))
    if isOverdue { progress.end(.overdue) }
  }

  /// Ends the search early.
  package mutating func interrupt() { progress.interrupt() }

  /// How many schedules have been tried.
  package var triedCount: Int { progress.triedCount }
  /// The report so far.
  package var report: ExplorationReport { progress.report }
}

/// The outcome of one run of a program.
package struct ProgramOutcome: Sendable {
  /// The property that did not hold, if any.
  package var finding: Finding?
  /// The choices in order, and the number of candidates of each choice if that was recorded.
  package var drawn: [UInt32]
  package var counts: [UInt32]
  package var eventCount: Int
  package var narration: Narration?

  /// Where tasks waited for threads outside the simulation. Each place is a list of functions, the innermost first.
  package var awaitedOutside: Set<[CodeAddress]>
  /// Whether some work left the simulation, or not all choices are known.
  package var hasEscaped: Bool

  package init(
    finding: Finding?, drawn: [UInt32], counts: [UInt32], eventCount: Int, narration: Narration?,
    awaitedOutside: Set<[CodeAddress]>, hasEscaped: Bool
  ) {
    self.finding = finding
    self.hasEscaped = hasEscaped
    self.awaitedOutside = awaitedOutside
    self.drawn = drawn
    self.counts = counts
    self.eventCount = eventCount
    self.narration = narration
  }

  fileprivate func ofTrial(_ number: Int) -> TrialRun.Outcome {
    TrialRun.Outcome(
      finding: finding, choices: Choices(drawn: drawn, counts: counts), point: nil,
      eventCount: eventCount, startCount: 0, awaitedOutside: awaitedOutside,
      hasEscaped: hasEscaped, blockedCount: 0,
      narration: narration,
      isInterrupted: false, number: number)
  }
}
