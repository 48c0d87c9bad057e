public import AsyncPatterns

/// What an exploration has found.
public struct ExplorationReport: Sendable, Codable {
  /// How many schedules were tried.
  public var schedules = 0
  /// How many of them differ.
  public var distinct = 0
  /// How many violated the property.
  public var violations = 0
  /// The first one that did, made simple.
  public var violation: Violation?
  /// Why it ended.
  public var ending = Ending.complete
  /// Where tasks waited for a thread outside of the simulation: functions, with file and line.
  public var escapes: [String] = []

  /// Nothing was tried.
  public init() {}

  /// Why an exploration ends.
  public enum Ending: Sendable, Hashable, Codable {
    /// As many schedules as were asked for have been tried.
    case complete
    /// There is no other schedule, within what the strategy allows.
    case exhausted
    case interrupted
    /// So many schedules ended with jobs that stay parked that the rest was left.
    case tooManyParked
    /// A run took longer than it may, in real time, so the rest was left. Only a program’s runs.
    case overdue
  }
}

/// A schedule under which a property does not hold.
public struct Violation: Sendable, Codable {
  /// What did not hold.
  public var finding: Finding
  /// As simple as it gets: what is left of its choices and injection is needed.
  public var schedule: Schedule
  /// As it was found.
  public var original: Schedule
  /// What happens under the schedule, event by event.
  public var moments: [Moment]
  /// Whether it shows again under its schedule. If not, something in it escapes the runtime.
  public var isReproducible = false
  /// How many of the moments, from the first, some schedule shares that does not violate the property;
  /// nil if none was found.
  public var sharedCount: Int?
  /// Who comes next there, under that schedule; nil if it is only that nothing is put in.
  public var nextWhenShared: String?

  /// The last moment it shares with a schedule that does not violate the property.
  public var lastShared: Moment? {
    guard let sharedCount, sharedCount > 0 else { return nil }
    return moments[sharedCount - 1]
  }
}

/// One event of a simulation, told for people.
public struct Moment: Sendable, Hashable, Codable {
  public var time: Instant
  /// Where it happened.
  public var lane: Lane
  /// On whose behalf: the path of a step, or what else it was.
  public var actor: String
  /// What happened, such as “starts” or “finishes”; empty for code that told the trace nothing.
  public var happenings: [String]
  /// Who else could have been next.
  public var alternatives: [String]
  /// Whether it was not the first in line.
  public var isDeviation: Bool
  /// Whether something was put in here.
  public var isInjection = false
}

/// A step, or a body, under one schedule.
public struct Replay: Sendable {
  /// What became of the step, as far as it came; nil for a body.
  public var trial: Trial?
  /// What did not hold.
  public var finding: Finding?
  /// What happened, event by event.
  public var moments: [Moment]
}

extension Moment: CustomStringConvertible {
  public var description: String {
    let time = Instant.zero.duration(to: time).shortDescription
    let lane = lane == .main ? "main" : "pool-\(lane.number)"
    var line = "\(time)  \(lane)  \(actor)"
    if !happenings.isEmpty { line += ": " + happenings.joined(separator: ", ") }
    if !alternatives.isEmpty {
      line += "  (or \(alternatives.joined(separator: ", ")))"
    }
    return line
  }
}

extension ExplorationReport: CustomStringConvertible {
  public var description: String {
    var lines = ["\(schedules) schedules, \(distinct) distinct, \(violations) violations"]
    lines += escapes.map { "A thread outside of the simulation resumed a task in \($0)." }
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
    ((finding.map { ["\($0)"] } ?? []) + moments.excerpt(sharedCount: nil)).joined(separator: "\n")
  }
}

extension [Moment] {
  /// The lines to show of what happened.
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
