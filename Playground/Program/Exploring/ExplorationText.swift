import AsyncPatterns
import AsyncSimulation
import TimingTrace

/// The result of an exploration, as text for people.
struct ExplorationText {
  let exploration: Exploration
  /// The property that was checked, if there was exactly one.
  var onlyProperty: String?
  let account: ExplorationExecution.Account
  let style: TerminalStyle

  private var report: ExplorationReport { account.report }

  /// How many schedules were tried, and how many of them violated a property.
  var summary: String {
    if case .crashed(let reason)? = account.stop {
      return sentence(
        report.violation == nil
          ? "The code \(reason). That ended the exploration. With “set cores 1”, the schedule of a crash is known."
          : "The code crashed under schedule \(report.schedules + 1). That ended the exploration.")
    }
    let found = report.schedules == 0 ? "No run came to its end." : "\(tried): \(outcome)"
    return sentence(found) + remarks.map { "\n" + sentence($0) }.joined()
  }

  private var tried: String {
    if report.ending == .exhausted {
      let all =
        report.distinct == 1
        ? "the only schedule\(within)" : "all \(report.distinct) schedules\(within)"
      return report.distinct == report.schedules ? all : "\(all), in \(report.schedules) tries"
    }
    let schedules = "\(report.schedules) \(report.schedules == 1 ? "schedule" : "schedules")"
    return account.isLeftBehind ? schedules : "\(schedules), \(report.distinct) distinct"
  }

  /// The limit on the schedules that were tried, if the strategy has one.
  private var within: String {
    guard case .depthFirst(let deviations?) = exploration.strategy else { return "" }
    return " with at most \(deviations) \(deviations == 1 ? "choice" : "choices") out of order"
  }

  private var outcome: String {
    switch report.violations {
    case 0: "no violation"
    case let count:
      onlyProperty.map { "\(count) violated “\($0)”" }
        ?? "\(count) \(count == 1 ? "violation" : "violations")"
    }
  }

  /// How many new schedules to expect, if nothing was found in those that were tried.
  private var outlook: String? {
    guard report.ending == .complete, report.violations == 0 else { return nil }
    switch report.chanceOfNew {
    case nil: return "There are more schedules; “runs” sets how many are tried."
    case 0: return "Each of them occurred at least twice: few others are left, or none."
    case 1: return nil
    case let chance?:
      // A small probability is easier to understand as the number of schedules among which about one is new.
      return chance >= 0.01
        ? "About \(Int((chance * 100).rounded())) of the next 100 schedules would be new."
        : "About one of the next \(Int((1 / chance).rounded())) schedules would be new."
    }
  }

  private var remarks: [String] {
    var remarks = outlook.map { [$0] } ?? []
    switch account.stop {
    case .timeLimit(let limit)?: remarks.append(VirtualExecution.stopped(at: limit))
    case .cancelled?: remarks.append("It was cancelled before all schedules were tried.")
    case .crashed?: break
    case nil: break
    }
    if account.isLeftBehind { remarks.append(VirtualExecution.leftBehind) }
    remarks += report.escapes.map {
      "A thread outside the simulation resumed a task in \($0), at a time that no schedule controls."
    }
    if report.ending == .overdue {
      remarks.append("A run did not end in time, so the other schedules were not tried.")
    }
    if report.ending == .tooManyBlocked {
      remarks.append(
        "Too many threads stayed blocked forever, so the other schedules were not tried.")
    }
    return remarks
  }

  /// The first violation and what happened under its schedule.
  func text(of violation: Violation) -> String {
    let finding = violation.finding
    let what = "“\(finding.property)” does not hold: \(finding.detail)"
    var lines = [sentence(TerminalText.printable(what, style: .unicode)), ""]
    let events = ScheduleText(
      moments: violation.moments, sharedCount: violation.sharedCount,
      next: violation.nextWhenShared)
    if violation.moments.isEmpty { lines.removeLast() }
    lines += events.lines(style)
    lines += events.legend.map { ["  " + $0] } ?? []
    lines += verdict(on: violation).map { ["", sentence($0)] } ?? []
    return lines.joined(separator: "\n")
  }

  private func verdict(on violation: Violation) -> String? {
    if account.stop != nil || [.interrupted, .overdue].contains(report.ending) {
      return "The schedule is shown as it was found, and was not simplified."
    }
    if violation.moments.isEmpty { return nil }
    if !violation.isReproducible {
      return
        "The violation did not occur again under its own schedule. Something in the run is left to chance, "
        + "such as a file, or escapes the simulation (clock-escape), such as a thread or a socket."
    }
    return violation.sharedCount == nil
      ? "No passing schedule was found that starts in the same way." : nil
  }

  private func sentence(_ text: String) -> String {
    style.wrapped("  " + text)
  }
}
