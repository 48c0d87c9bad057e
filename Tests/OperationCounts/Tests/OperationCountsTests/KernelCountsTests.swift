import AsyncPatterns
import AsyncSimulation
import OperationGraphPatterns
import SerialQueuePatterns
import Testing
import TimingTrace

/// What steps, simulated jobs, schedules and recorded events cost.
struct KernelCountsTests {
  @Test func `a step of serial`() throws {
    let counts = try Counts(ofEach: { perform in
      let step = Step("step") { input, _, completion in
        perform()
        completion(.success(input))
      }
      let serial = try Self.step(
        of: SerialQueuePlugin.self, "serial", Array(repeating: step, count: 4 * Counts.number))
      let runtime = SimulatedRuntime()
      Run(serial, on: runtime) { _ in }
      runtime.runUntilIdle()
    })
    #expect(counts == Counts(allocations: 4, retains: 21, locks: 2))
  }

  @Test func `a job of a simulated pool`() {
    let counts = Counts(ofEach: { perform in
      let runtime = SimulatedRuntime()
      Self.hop(on: runtime.pool, 4 * Counts.number, perform)
      runtime.runUntilIdle()
    })
    #expect(counts == Counts(allocations: 1, retains: 2, locks: 0))
  }

  @Test func `a schedule of a graph of ten sleeps`() throws {
    var steps = (0..<10).map { Step.sleep("\($0)", .milliseconds($0 % 3 + 1)) }
    for index in 4..<10 { steps[index].predecessors = ["\(index - 4)", "\(index - 3)"] }
    let graph = try Self.step(of: OperationGraphPlugin.self, "graph", steps)
    let exploration = Exploration(schedules: 4 * Counts.number, isExact: true)
    let counts = Counts(ofEach: { perform in
      _ = exploration.explore(graph) { _ in
        perform()
        return nil
      }
    })
    #expect(counts == Counts(allocations: 81, retains: 392, locks: 31))
  }

  @Test func `a recorded event`() {
    let recorder = Recorder(clock: .virtual)
    let counts = Counts { count in
      for _ in 0..<count { recorder.record(.mark("mark", of: .none, at: .zero)) }
    }
    #expect(counts == Counts(allocations: 0, retains: 0, locks: 0))
  }

  private static func step(
    of plugin: any Plugin.Type, _ name: String, _ steps: [Step]
  ) throws -> Step {
    let pattern = try #require(plugin.patterns.first { $0.manual.name == name })
    return Step(name, pattern: try pattern.init(pattern.manual.resolve([])), steps: steps)
  }

  /// A job that schedules the next one.
  private static func hop(
    on scheduler: any Scheduler, _ left: Int, _ perform: @escaping @Sendable () -> Void
  ) {
    scheduler.schedule {
      perform()
      if left > 1 { hop(on: scheduler, left - 1, perform) }
    }
  }
}
