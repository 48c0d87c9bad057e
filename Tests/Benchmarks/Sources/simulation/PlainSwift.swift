import AsyncSimulation
import Foundation
import Measuring
import SwiftTasks

/// The cost of exploring Swift code that knows nothing of the simulation, in this process and in others.
enum PlainSwift {
  private static let schedules = 2_000

  static func measure(program: String?) async throws -> [Figure] {
    let selfTest = ContinuousClock().measure { _ = RuntimeSupport.current }
    var figures = [
      Figure("the self-test of the runtime, once a process", selfTest, target: .milliseconds(10))
    ]
    figures.append(try await bodies())
    figures += try outside()
    if let program { figures += try processes(program) }
    return figures
  }

  // MARK: Bodies

  private static func bodies() async throws -> Figure {
    var simulated: [Duration] = []
    var live: [Duration] = []
    for _ in 0..<7 {
      let report = Locked(ExplorationReport())
      simulated.append(
        await ContinuousClock().measure {
          let found = await explore(schedules: schedules)
          report.withLock { $0 = found }
        } / schedules)
      precondition(report.withLock { $0.schedules == schedules && $0.violations == 0 })
      live.append(
        try await ContinuousClock().measure {
          for _ in 0..<schedules { try await body() }
        } / schedules)
    }
    return Figure(
      "a schedule of 50 jobs", simulated.median, peer: ("the same, live", live.median),
      target: .microseconds(33))
  }

  private actor Counter {
    var count = 0
    func increase() { count += 1 }
  }

  /// Ten tasks with five jobs each, most of them hops to an actor and back.
  @Sendable private static func body() async throws {
    let counter = Counter()
    await withTaskGroup { group in
      for _ in 0..<10 {
        group.addTask {
          await counter.increase()
          await Task.yield()
          await counter.increase()
        }
      }
    }
  }

  private static func explore(schedules: Int) async -> ExplorationReport {
    await Exploration(schedules: schedules, isExact: true).explore(body)
  }

  /// How much more memory the process holds after many schedules than after a few.
  static func measureMemory() async -> Figure {
    _ = await explore(schedules: 100_000)
    let before = residentBytes
    _ = await explore(schedules: 1_000_000)
    return Figure(
      "more memory after 1 000 000 more schedules of plain Swift", .bytes(residentBytes - before))
  }

  // MARK: Code outside a simulation

  /// Compares programs with the executors of this package and without them. They do not use the package otherwise.
  ///
  /// The programs run on one processor. Otherwise the interaction of two threads would cost more than the measured
  /// difference, and would vary.
  private static func outside() throws -> [Figure] {
    func hop(_ program: String, _ arguments: String...) throws -> Duration {
      let command = ["--cpu-list", "0", beside(program), "600000"] + arguments
      let text = try Child("/usr/bin/taskset", command).output()
      return .nanoseconds(1) * (Double(text.filter { !$0.isNewline }) ?? 0)
    }
    let times = try Contestant.times(
      of: [
        Contestant("bare") { try hop("hops-bare") },
        Contestant("own") { try hop("hops-simulated") },
        Contestant("later") { try hop("hops-simulated", "simulate") },
      ], rounds: 31)
    func more(_ own: [Duration]) -> Duration { zip(own, times[0]).map { $0 - $1 }.median }
    let peer = ("the job", times[0].median)
    return [
      Figure(
        "the extra time of a job outside of a simulation, with these executors", more(times[1]),
        peer: peer, target: .nanoseconds(5)),
      Figure(
        "the same, after a simulation", more(times[2]), peer: peer,
        target: .nanoseconds(5)),
    ]
  }

  private static func beside(_ program: String) -> String {
    URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path + "/" + program
  }

  // MARK: Processes

  private static func processes(_ playground: String) throws -> [Figure] {
    let runs = 600
    func explore(_ program: String) throws -> Duration {
      try Child(playground, ["explore", "--runs", String(runs), "--", beside(program)]).run() / runs
    }
    func start(_ program: String) throws -> Duration {
      let time = try ContinuousClock().measure {
        for _ in 0..<20 { _ = try Child(beside(program)).run() }
      }
      return time / 20
    }
    let programs = ["hops-bare", "hops-foundation"]
    let contestants = programs.flatMap { program in
      [
        Contestant(program) { try explore(program) },
        Contestant(program + " itself") { try start(program) },
      ]
    }
    let times = try Contestant.medians(of: contestants, rounds: 5)
    return [
      Figure(
        "a run of a small program under a schedule", times[0],
        peer: ("starting it", times[1]), target: .microseconds(3_333)),
      Figure(
        "the same, of one with Foundation", times[2], peer: ("starting it", times[3]),
        target: .microseconds(5_000)),
    ]
  }
}
