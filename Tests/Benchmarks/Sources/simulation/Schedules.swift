import AsyncSimulation
import Dispatch
import Measuring
import OperationGraphPatterns

/// The cost of a schedule of an exploration, and the growth of its memory.
enum Schedules {
  private static let count = 20_000

  static func measure() throws -> [Figure] {
    let graph = try graphOfSleeps()
    let contestants = [
      Contestant("plain") { time(graph, isRecording: false) },
      Contestant("recorded") { time(graph, isRecording: true) },
      Contestant("run") { timeOfRuns(graph) },
      Contestant("two threads") { time(graph, isRecording: false, threads: 2) },
      Contestant("two explorations") { try timeOfTwo() },
    ]
    let times = try Contestant.medians(of: contestants, rounds: 7).map { $0 / count }
    let peer = ("a simulation run by itself", times[2])
    return [
      Figure(
        "a schedule of a graph of ten sleeps", times[0], peer: peer, target: .microseconds(6)),
      Figure("the same, recorded", times[1], peer: peer),
      Figure("the same on two threads", times[3], peer: ("on one", times[0]), ratio: 1 / 1.9),
      Figure(
        "the same, compared with separate explorations", times[3],
        peer: ("two at once, with nothing in common", times[4]), ratio: 1.05),
    ]
  }

  /// How much more memory the program holds after many schedules than after a few.
  static func measureMemory() throws -> Figure {
    let graph = try graphOfSleeps()
    explore(graph, schedules: 50_000, isRecording: false)
    let before = residentBytes
    explore(graph, schedules: 500_000, isRecording: false)
    return Figure("more memory after 500 000 more schedules", .bytes(residentBytes - before))
  }

  static func runAlone(_ schedules: Int) throws {
    explore(try graphOfSleeps(), schedules: schedules, isRecording: false)
  }

  /// Ten sleeps: four concurrent ones, and six that each wait for two earlier ones.
  static func graphOfSleeps() throws -> Step {
    var steps = (0..<10).map { Step.sleep("\($0)", .milliseconds($0 % 3 + 1)) }
    for index in 4..<10 { steps[index].predecessors = ["\(index - 4)", "\(index - 3)"] }
    let pattern = OperationGraphPlugin.patterns.first { $0.manual.name == "graph" }!
    let arguments = try pattern.manual.resolve([])
    return Step("graph", pattern: try pattern.init(arguments), steps: steps)
  }

  private static func time(_ step: Step, isRecording: Bool, threads: Int = 1) -> Duration {
    ContinuousClock().measure {
      explore(step, schedules: count, isRecording: isRecording, threads: threads)
    }
  }

  private static func explore(
    _ step: Step, schedules: Int, isRecording: Bool, threads: Int = 1
  ) {
    let exploration = Exploration(
      schedules: schedules, isExact: true, threads: threads, isRecording: isRecording)
    let report = exploration.explore(step)
    precondition(report.schedules == schedules && report.violations == 0)
  }

  /// The time of two explorations at once, each of half the schedules and on a thread of its own: what two processors of
  /// this machine can do for one program.
  private static func timeOfTwo() throws -> Duration {
    let graphs = [try graphOfSleeps(), try graphOfSleeps()]
    return ContinuousClock().measure {
      DispatchQueue.concurrentPerform(iterations: graphs.count) { index in
        explore(graphs[index], schedules: count / graphs.count, isRecording: false)
      }
    }
  }

  /// The time of as many runs without an exploration. Each run has its own runtime and thread.
  private static func timeOfRuns(_ step: Step) -> Duration {
    ContinuousClock().measure {
      for seed in 0..<count {
        let runtime = SimulatedRuntime(seed: UInt64(seed))
        Run(step, on: runtime) { _ in }
        runtime.runUntilIdle()
      }
    }
  }
}
