import AsyncSimulation
import Testing
import TimingTrace

/// The cost of blocked threads, in numbers.
@Suite struct BlockedThreadTests {
  /// Queues that each block a worker while they run two steps on main.
  func record(queues: Int, workers: Int) throws -> RunRecord {
    let recorder = Recorder(clock: .virtual)
    let runtime = SimulatedRuntime(workers: workers, trace: recorder)
    let steps = (1...queues).map {
      Step(
        "queue-\($0)", pattern: BlockingQueue(),
        steps: [onMain(.sleep("a", .ms(10))), onMain(.sleep("b", .ms(5)))])
    }
    let result = run(Step("all", pattern: AtOnce(), steps: steps), on: runtime)
    #expect(runtime.waiters == [])
    return RunRecord(events: recorder.snapshot(), clock: .virtual, result: result)
  }

  @Test func `eight blocking queues on four workers take twice the time and wait for workers`()
    throws
  {
    let record = try record(queues: 8, workers: 4)
    #expect(record.makespan == 30_000_000)
    // Each of the eight queues is blocked as long as its steps take, four at the same time.
    #expect(record.blocked == 8 * 15_000_000)
    #expect(
      record.steps.filter { !$0.isLeaf }.map(\.blocked) == Array(repeating: 15_000_000, count: 8))
    // The workers and main.
    #expect(record.threads == 5)
    let firsts = record.steps.filter { $0.label == "a" }
    // After each of its steps a queue goes to the end of the line for a worker.
    #expect(firsts.map(\.started) == [0, 0, 0, 0] + Array(repeating: 10_000_000, count: 4))
    #expect(record.lints.filter { $0.rule == "blocked-thread" }.map(\.count) == [8])
    let starved = record.lints.filter { $0.rule == "starvation" }
    #expect(starved.map(\.steps) == [[5, 6, 7, 8, 1, 2, 3, 4].map { "queue-\($0)" }])
    #expect(
      starved.first?.message
        == "“queue-5” was ready and found no worker: all 4 were held, 4 of them blocked, by “queue-1”, "
        + "“queue-2”, “queue-3” and “queue-4”; let those steps wait without a thread")
    #expect(record.criticalPath == ["a", "a", "b", "b"])
  }

  @Test func `eight blocking queues on eight workers take their own time and starve none`() throws {
    let record = try record(queues: 8, workers: 8)
    #expect(record.makespan == 15_000_000)
    #expect(record.blocked == 8 * 15_000_000)
    #expect(record.threads == 9)
    #expect(record.lints.allSatisfy { $0.rule == "blocked-thread" })
    #expect(record.criticalPath == ["a", "b"])
  }

  @Test func `the timeline shows blocked time and which steps wait for a worker`() throws {
    let record = try record(queues: 5, workers: 4)
    let lines = Timeline(record).render(width: 60, height: 20).split(separator: "\n")
      .filter { !$0.hasPrefix("critical path: ") }
    let fifth = try #require(lines.firstIndex { $0.contains("queue-5") })
    let first = try #require(lines.firstIndex { $0.contains("queue-1") })
    #expect(lines[first].contains("▒▒▒▒▒▒▒▒"))
    #expect(lines[fifth].contains("▒▒▒▒▒▒▒▒"))
    #expect(!lines[first + 1].contains("░"))
    #expect(lines[fifth + 1].contains("░░░░░░░░"))
  }
}
