package import AsyncSimulation

/// What the playground asks of the agent in a program.
package struct AgentOrder: Codable, Sendable {
  package enum Work: Codable, Sendable {
    /// Run the program again and again, in processes of its own.
    case explore
    /// Run it once under that schedule, in this process.
    case replay(Schedule)
    /// Record what its tasks do.
    case record
    /// Make a file of runs of what was recorded, and end.
    case convert
  }

  package var work: Work
  package var exploration: Exploration
  /// How many seconds of real time a run may take.
  package var timeLimit: Double
  /// Whether it is for a test bundle that another program starts, and not for the first program.
  package var isForTests = false
  /// Whether the children of the program get the agent, too.
  package var includesChildren = false
  /// Whether a run that fails stops for a debugger.
  package var stops = false
  /// How the recorded program ended, where that was no good end.
  package var ending: String?
  /// When it did, in nanoseconds of the monotonic clock.
  package var endTime: Int64?
  /// The process of the playground.
  package var recorder: Int32?
  /// What was to be loaded into the program before.
  package var preloaded: String?

  package init(_ work: Work, as exploration: Exploration, timeLimit: Double) {
    self.work = work
    self.exploration = exploration
    self.timeLimit = timeLimit
  }
}

/// What the agent has to report when its work is done.
package struct AgentReport: Codable, Sendable {
  /// Of an exploration.
  package var exploration: ExplorationReport?
  /// Of a replay: what did not hold, and what happened.
  package var finding: Finding?
  package var narration: Narration?
  /// What the simulation of this program cannot do.
  package var limits: [String] = []
  /// Whether a test bundle was explored, and its filter chose no test of Swift Testing.
  package var hasNoTests = false

  package init() {}
}
