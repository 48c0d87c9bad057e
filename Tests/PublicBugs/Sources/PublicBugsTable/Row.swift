import AsyncSimulation
import PublicBugs

/// The measurements of one bug.
struct Row: CustomStringConvertible {
  private let bug: PublicBug
  /// How many schedules an exploration tried until it found the bug; nil if it did not.
  private var first: Int?
  /// How long that exploration took, with the shrinking of its schedule.
  private var time = Duration.zero
  /// How many choices of the shrunk schedule are not first in, first out.
  private var deviations = 0
  /// How many of `schedules` schedules show the bug.
  private var violations = 0
  private let schedules = 1_000
  /// How many runs without a simulation show the bug.
  private let liveSymptoms: Int
  private let liveRuns: Int

  init(measuring bug: PublicBug, liveRuns: Int) async {
    self.bug = bug
    self.liveRuns = liveRuns
    // Measured before the bug leaves hanging tasks behind.
    for schedules in 1...self.schedules {
      let start = ContinuousClock.now
      let report = await Exploration(schedules: schedules).explore { try await bug.run(.before) }
      time = ContinuousClock.now - start
      guard let violation = report.violation else { continue }
      first = schedules
      deviations = violation.schedule.choices.count { $0 != 0 }
      break
    }
    violations = await Exploration(schedules: schedules).explore { try await bug.run(.before) }
      .violations
    liveSymptoms = await LiveRuns(of: bug).symptoms(in: liveRuns)
  }

  var description: String {
    let source = "\(bug.repository)#\(bug.number)"
    let milliseconds = Int((time / .milliseconds(1)).rounded(.up))
    let cells = [
      bug.name, source, first.map { "\($0)" } ?? "not found", "\(milliseconds) ms",
      "\(deviations)", "\(violations) of \(schedules)", "\(liveSymptoms) of \(liveRuns)",
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }
}
