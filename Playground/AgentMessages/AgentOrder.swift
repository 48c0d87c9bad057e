package import AsyncSimulation

/// The work that the playground asks the agent in a program to do.
package struct AgentOrder: Codable, Sendable {
  package enum Work: Codable, Sendable {
    /// Run the program again and again, each time in a new process.
    case explore
    /// Run the program once under the given schedule, in this process.
    case replay(Schedule)
    /// Record the tasks of the program.
    case record
    /// Make a file of runs from a recording, and end.
    case convert
  }

  package var work: Work
  package var exploration: Exploration
  /// The time limit of a run, in seconds of real time.
  package var timeLimit: Double
  /// The libraries of the tests that the order is for. Nil if it is not for a test bundle. The program that starts a
  /// test bundle ignores the order.
  package var testLibraries: [TestLibrary]?
  /// Whether the agent also controls the children of the program.
  package var includesChildren = false
  /// Whether a run that fails stops for a debugger.
  package var stops = false
  /// How the recorded program ended; nil if it has not ended.
  package var ending: ProcessEnding?
  /// When the recorded program ended, in nanoseconds of the monotonic clock.
  package var endTime: Int64?
  /// The process identifier of the playground.
  package var recorder: Int32?
  /// The value of `LD_PRELOAD` without the agent; nil if there was none.
  package var preloaded: String?

  package init(_ work: Work, as exploration: Exploration, timeLimit: Double) {
    self.work = work
    self.exploration = exploration
    self.timeLimit = timeLimit
  }
}

/// The agent's report after its work.
package struct AgentReport: Codable, Sendable {
  /// The result of an exploration.
  package var exploration: ExplorationReport?
  /// The property that did not hold in a replay; nil if all held.
  package var finding: Finding?
  /// The events of a replay.
  package var narration: Narration?
  /// The limits of the simulation for this program, as text for people.
  package var limits: [String] = []
  /// The library of the tests that were run; nil if the program is not a test bundle.
  package var library: TestLibrary?
  /// Whether an explored test bundle had no test of the library to run.
  package var hasNoTests = false

  /// Whether a property did not hold.
  package var isViolated: Bool { finding != nil || exploration?.violation != nil }
  /// Whether no other process of the test bundle needs to work.
  var isLast: Bool { isViolated || exploration?.ending == .interrupted }

  package init() {}
}
