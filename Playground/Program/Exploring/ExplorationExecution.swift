import AsyncPatterns
import AsyncSimulation

/// An exploration in progress. It can be cancelled and awaited.
final class ExplorationExecution: CrashReceiver {
  /// The result of an exploration.
  struct Account: Sendable {
    var report: ExplorationReport
    /// The reason why it was stopped before all its schedules were tried, if it was.
    var stop: StoppableWork<Account>.Stop?
    /// Whether it keeps running, although the caller no longer waits for it.
    var isLeftBehind = false
  }

  let plan: ExplorationPlan
  private let ongoing: Locked<OngoingExploration?>
  private let work: StoppableWork<Account>

  init(_ plan: ExplorationPlan) {
    self.plan = plan
    let ongoing = Locked<OngoingExploration?>(nil)
    self.ongoing = ongoing
    work = StoppableWork(timeLimit: plan.settings.timeLimit) { stop in
      let ongoing = ongoing.withLock { $0 }
      var report = ExplorationReport()
      report.schedules = ongoing?.schedules ?? 0
      report.ending = .interrupted
      if case .crashed(let reason) = stop {
        report.violations = 1
        report.violation = ongoing?.crashedSchedule.map {
          Violation(Finding("does not crash", "it \(reason)"), under: $0)
        }
      }
      return Account(report: report, stop: stop, isLeftBehind: true)
    }
  }

  /// How many schedules have been tried.
  var schedules: Int { ongoing.withLock { $0 }?.schedules ?? 0 }

  var stepInThisProcess: Step? { plan.composed.step }

  func cancel() { work.cancel() }

  var hasEnded: Bool { work.reached != nil }

  func crashed(_ reason: String) { work.crashed(reason) }

  /// Starts the exploration and waits for its result. Call it once.
  func finished() async -> Account {
    await work.finished { [plan, work, ongoing] reach in
      let started = plan.exploration.start(
        plan.composed.step, checking: { [check = plan.check] in check.finding(in: $0) }
      ) { report in
        reach(Account(report: report, stop: report.ending == .interrupted ? work.stop : nil))
      }
      ongoing.withLock { $0 = started }
      return started
    }
  }
}
