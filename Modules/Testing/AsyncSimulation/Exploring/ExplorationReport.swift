public import AsyncPatterns

/// The result of an exploration.
public struct ExplorationReport: Sendable, Codable {
  /// How many schedules were tried.
  public var schedules = 0
  /// How many of them were different.
  public var distinct = 0
  /// The estimated probability that another random schedule is a new one, from 0 to 1. It is the share of schedules that
  /// were tried exactly once (Good–Turing), and 0 if all schedules have been tried. The strategy `depthFirst` makes no
  /// random schedules, so it leaves this nil.
  public var chanceOfNew: Double?
  /// How many of them violated the property.
  public var violations = 0
  /// The first violation, made as simple as possible.
  public var violation: Violation?
  /// Why the exploration ended.
  public var ending = Ending.complete
  /// Where tasks waited to be resumed by a thread outside the simulation: functions, with file and line.
  public var escapes: [String] = []

  /// A report of no schedules.
  public init() {}

  /// Why an exploration ended.
  public enum Ending: Sendable, Hashable, Codable {
    /// The requested number of schedules has been tried.
    case complete
    /// All schedules have been tried, within the limits of the strategy.
    case exhausted
    case interrupted
    /// So many jobs stayed blocked when their schedules ended that the remaining schedules were skipped.
    case tooManyBlocked
    /// A run took more real time than allowed, so the remaining schedules were skipped. Only for the runs of a program.
    case overdue
  }
}

/// A schedule under which a property does not hold.
public struct Violation: Sendable, Codable {
  /// The property that did not hold, and what happened instead.
  public var finding: Finding
  /// The schedule, as simple as possible: the remaining choices and the injection are needed.
  public var schedule: Schedule
  /// The schedule as it was found.
  public var original: Schedule
  /// The events under the schedule, in order.
  public var moments: [Moment]
  /// Whether the violation occurs again under its schedule. If not, some of the explored code escapes the runtime.
  public var isReproducible = false
  /// How many moments from the start are shared with a schedule that does not violate the property; nil if no such
  /// schedule was found.
  public var sharedCount: Int?
  /// The name of the next candidate under the schedule that does not violate the property; nil if that schedule only
  /// lacks the injection.
  public var nextWhenShared: String?

  /// A violation of which only the schedule is known.
  package init(_ finding: Finding, under schedule: Schedule) {
    self.finding = finding
    self.schedule = schedule
    original = schedule
    moments = []
  }
}

/// One event of a simulation, described for people.
public struct Moment: Sendable, Hashable, Codable {
  public var time: Instant
  /// The lane on which it happened.
  public var lane: Lane
  /// The path of the step that the event belongs to, or the name of something else.
  public var actor: String
  /// The events in words, such as “starts” or “finishes”; empty for code that recorded nothing in the trace.
  public var happenings: [String]
  /// The names of the other candidates.
  public var alternatives: [String]
  /// Whether the chosen candidate was not the first in line.
  public var isDeviation: Bool
  /// Whether something was injected here.
  public var isInjection = false
}

/// A run of a step or of a body under one schedule.
public struct Replay: Sendable {
  /// The trial of the step, as far as the step came; nil for a body.
  public var trial: Trial?
  /// The property that did not hold, if any.
  public var finding: Finding?
  /// The events of the run, in order.
  public var moments: [Moment]
  /// What shows that the schedule was found with other code or another input, so that this is another run; nil if
  /// nothing does.
  public var misfit: String?
}

extension Moment: CustomStringConvertible {
  public var description: String {
    let lane = lane == .main ? "main" : "pool-\(lane.number)"
    var line = "\(time)  \(lane)  \(actor)"
    if !happenings.isEmpty { line += ": " + happenings.joined(separator: ", ") }
    if !otherAlternatives.isEmpty {
      line += "  (or \(otherAlternatives.joined(separator: ", ")))"
    }
    return line
  }

  /// The alternatives that have another name than the actor.
  package var otherAlternatives: [String] { alternatives.filter { $0 != actor } }
}

extension ExplorationReport: CustomStringConvertible {
  public var description: String {
    let found = "\(violations) \(violations == 1 ? "violation" : "violations")"
    var lines = ["\(schedules) schedules, \(distinct) distinct, \(found)"]
    lines += escapes.map { "A thread outside the simulation resumed a task in \($0)." }
    if let violation {
      lines.append("\(violation.finding)")
      lines += violation.moments.excerpt(sharedCount: violation.sharedCount)
      lines.append("schedule: \(violation.schedule)")
    }
    return lines.joined(separator: "\n")
  }
}

extension Replay: CustomStringConvertible {
  public var description: String {
    let lines = [finding.map { "\($0)" }, misfit.map { "another run: \($0)" }].compactMap(\.self)
    return (lines + moments.excerpt(sharedCount: nil)).joined(separator: "\n")
  }
}

extension [Moment] {
  /// The lines to show for the moments.
  fileprivate func excerpt(sharedCount: Int?) -> [String] {
    var lines: [String] = []
    for part in Excerpt(of: self, sharedCount: sharedCount).parts {
      switch part {
      case .gap(let count): lines.append("  … \(count) more …")
      case .lines(let range):
        for index in range {
          lines.append("  \(self[index])")
          guard index + 1 == sharedCount else { continue }
          lines.append("  — from here on, a passing schedule differs —")
        }
      }
    }
    return lines
  }
}
