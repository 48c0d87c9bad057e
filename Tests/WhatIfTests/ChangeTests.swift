import AsyncPatterns
import Testing
import TimingTrace
import WhatIf

/// Simulations with changed durations, and the assumptions about what was not measured.
@Suite struct ChangeTests {
  static let job = "job = [ fetch: sleep 20ms; parse: work 5ms; store: sleep 10ms ]; "

  @Test(
    arguments: [
      ("serial job", ["fetch": 0.5], 25), ("serial job", ["job": 0.5], 17.5),
      ("serial job", ["job/fetch": 0.5, "store": 2], 35),
      ("serial job", ["job": 2, "fetch": 0.5], 50),
      ("serial job", ["fetch": 0], 15), ("sleep 20ms", ["sleep": 0.25], 5),
      ("together { page: 4 * sleep 10ms; a: sleep 15ms }", ["page": 2], 20),
      ("together { page: 4 * sleep 10ms; a: sleep 15ms }", ["page-3": 3], 30),
      (
        "serial { x: serial { page: 2 * serial { a: sleep 1ms; b: sleep 2ms } }; a: sleep 4ms }",
        ["x/a": 10], 28
      ),
      (
        "serial { x: serial { page: 2 * serial { a: sleep 1ms; b: sleep 2ms } }; a: sleep 4ms }",
        ["page": 10], 64
      ),
      (
        "serial { x: serial { page: 2 * serial { a: sleep 1ms; b: sleep 2ms } }; a: sleep 4ms }",
        ["x/page-2": 10], 37
      ),
      // A step with exactly this label takes precedence over the numbered steps of a count (`page-1`, `page-2`).
      ("serial { x: serial { page: 2 * sleep 1ms }; page: sleep 4ms }", ["page": 10], 42),
      (#"serial { "a/b": sleep 3ms; b: sleep 1ms }"#, ["a/b": 2], 7),
      (#"serial { "a/b": sleep 3ms; b: sleep 1ms }"#, ["b": 2], 8),
    ] as [(String, [String: Double], Double)])
  func `scaled steps give the expected makespan`(
    _ script: String, _ scales: [String: Double], _ milliseconds: Double
  ) throws {
    let run = try Trial.recorded(Self.job + script)
    let changed = try Trial.simulated(run, scales).record
    #expect(changed.makespan == Int64(milliseconds * 1e6))
    #expect(changed.outcome == .success)
  }

  @Test func `the critical path moves`() throws {
    let run = try Trial.recorded(
      "together { a: serial { x: sleep 20ms; y: work 5ms }; b: sleep 22ms }")
    #expect(run.record.criticalPath == ["x", "y"])
    #expect(try Trial.simulated(run, ["x": 0.5]).record.criticalPath == ["b"])
  }

  @Test func `another number of workers gives the expected makespan`() throws {
    let run = try Trial.recorded("together { 8 * work 10ms }", workers: 2)
    #expect(run.record.makespan == 40_000_000)
    #expect(try Trial.simulated(run, workers: 8).record.makespan == 10_000_000)
    #expect(try Trial.simulated(run, workers: 3).record.makespan == 30_000_000)
  }

  /// Each start of a leaf takes its recorded time and fails with its recorded error.
  @Test func `each start of a retried step takes its own time`() throws {
    let run = try Trial.recorded("again { fetch: sh \"curl\" }")
    let again = try Trial.simulated(run)
    #expect(again.record.steps == run.record.steps)
    #expect(again.record.steps.map(\.error) == ["no answer 1", "no answer 2", nil])
    #expect(again.record.makespan == 16_000_000)
    #expect(try Trial.simulated(run, ["fetch": 2]).record.makespan == 32_000_000)
    // The value that the step yields was not recorded.
    #expect(run.record.value == .string("output") && again.record.value == .none)
  }

  @Test func `the second run starts afresh`() throws {
    let recording = try Recording(
      Trial.recorded("again { fetch: sh \"curl\" }"), vocabulary: Trial.vocabulary())
    let (composed, ledger) = recording.simulation(called: "x")
    let records = (1...3).map { _ in Trial.run(composed).record }
    #expect(records[0] == records[1] && records[1] == records[2])
    #expect(ledger.assumptions == [])
  }

  @Test func `work, waiting and blocked threads are simulated separately`() throws {
    let run = Self.live(
      "serial { mixed; w: work 1ms }", [("mixed", "mixed", 14, 3, 4), ("w", "work", 2, 1, 0)])
    let record = try Trial.simulated(run).record
    #expect(record.makespan == 16_000_000)
    #expect(record.work == 5_000_000 && record.blocked == 4_000_000)
    let steps = record.steps
    #expect(steps.map(\.work) == [3_000_000, 2_000_000])
    #expect(steps.map(\.blocked) == [4_000_000, 0])
    #expect(try Trial.simulated(run, ["mixed": 2]).record.makespan == 30_000_000)
  }

  @Test func `values in the script flow`() throws {
    let run = try Trial.recorded("serial { value 42; sleep 1ms; work 1ms }")
    #expect(try Trial.simulated(run).record.value == .integer(42))
  }

  // MARK: - What was not measured

  @Test(
    arguments: [
      // The step starts now, because the step that cancelled the others takes longer.
      (
        "first { a: sleep 5ms; b: serial { c: sleep 9ms; d: sleep 4ms } }", ["a": 10.0], 13,
        ["“b/d” never started in the recording: it takes the time in the script, 4ms."]
      ),
      // The step was cancelled, so its full duration is unknown.
      (
        #"first { a: sleep 2ms; b: serial { page: 2 * sh "x" } }"#, ["a": 10.0], 2,
        [
          "“b/page-1” was cancelled after 2ms: it is assumed to need slightly longer.",
          "“b/page-2” never started in the recording, nor did a similar step: it takes no time.",
        ]
      ),
    ] as [(String, [String: Double], Int, [String])])
  func `assumptions about unknown times are named`(
    _ script: String, _ scales: [String: Double], _ milliseconds: Int, _ assumptions: [String]
  ) throws {
    let again = try Trial.simulated(try Trial.recorded(script), scales)
    #expect(again.record.makespan / 1_000_000 == milliseconds)
    #expect(again.assumptions == assumptions)
  }

  /// Uses a live run that `first` ended when `a` ended.
  @Test func `a step that never started takes the mean of similar steps`() throws {
    let script = "first { a: sleep 5ms; b: serial { page: 3 * mixed; other: mixed } }"
    let run = Self.live(
      script,
      [
        ("a", "sleep", 5, 0, 0), ("b", "serial", 5, 0, 0), ("b/page-1", "mixed", 1, 0, 0),
        ("b/page-2", "mixed", 3, 0, 0),
      ])
    let again = try Trial.simulated(run, ["a": 10])
    #expect(again.record.makespan == 6_000_000)
    #expect(
      again.assumptions == [
        "“b/page-3” never started in the recording: it takes the mean of similar steps, 2ms.",
        "“b/other” never started in the recording, nor did a similar step: it takes no time.",
      ])
  }

  @Test func `more starts than were measured are an assumption`() throws {
    let run = Self.live("again { mixed }", [("mixed", "mixed", 4, 0, 0)], failing: true)
    let again = try Trial.simulated(run)
    #expect(again.record.makespan == 12_000_000)
    #expect(again.assumptions.first?.contains("more often than in the recording (1)") == true)
  }

  /// The record contains the tasks, and not the step itself.
  @Test func `a step whose code started tasks takes the time of the run`() throws {
    let run = Self.live("mixed", [("mixed", "task", 10, 3, 0), ("b", "task", 20, 0, 0)])
    let again = try Trial.simulated(run, ["mixed": 2])
    #expect(again.record.makespan == 40_000_000)
    #expect(again.assumptions == [])
  }

  /// A run on the live clock. Its steps take the given milliseconds, one after another where their patterns say so.
  /// Each step has its path, its kind, and the times for which it ran, worked and was blocked.
  static func live(
    _ script: String, _ steps: [(String, String, Int64, Int64, Int64)], failing: Bool = false
  ) -> SavedRun {
    var record = RunRecord(name: "x", pattern: "", clock: .live, outcome: .success)
    for (path, kind, ran, work, blocked) in steps {
      let labels = path.split(separator: "/")
      let container = labels.dropLast().joined(separator: "/")
      let parent = record.steps.firstIndex { $0.path == container }
      record.steps.append(
        StepRecord(
          label: String(labels.last ?? ""), in: container.isEmpty ? nil : container,
          pattern: kind, submitted: 0, started: 0,
          finished: ran * 1_000_000, outcome: failing ? .failure : .success, parent: parent,
          work: work * 1_000_000, blocked: blocked * 1_000_000))
    }
    record.makespan = record.steps.compactMap(\.finished).max() ?? 0
    return SavedRun(
      name: "x", source: script, composition: "", script: script, workers: 4, record: record,
      events: [])
  }
}
