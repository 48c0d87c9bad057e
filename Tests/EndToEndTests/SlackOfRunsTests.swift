import Testing

/// Slack is checked by experiment: the run is simulated again with one step a thousandth longer. And on the virtual
/// clock, only steps take time, so the steps of the critical path add up to the makespan.
///
/// Durations are multiples of a microsecond, so that hardly any two ends coincide. If two ends coincide, a slightly
/// longer step can change which of them comes first.
@Suite struct SlackOfRunsTests {
  private static let leaves: [(kind: String, options: String)] = [
    ("sleep", ""), ("work", ""), ("sleep", " with on: main"), ("work", " with on: main"),
    ("sleep", " with on: pool"), ("work", " with on: pool"),
  ]
  private static let free = ["serial", "bounded(2)", "group", "all", "promise", "settled"]
  private static let cancelling = [
    "race", "any", "barrier", "transaction", "timeout(11ms, value: 1)", "timeout(33ms, value: 1)",
  ]
  /// These patterns hold workers, and return to the main lane or to a worker after each step.
  private static let blocking = ["serial.semaphore", "bounded.semaphore(2)"]
  /// Timers end steps, which may keep running.
  private static let timingOut = [
    "serial(timeout: 11ms, on-failure: continue)", "serial(timeout: 23ms, on-failure: continue)",
    "serial",
  ]
  private static let timingOutSeveral = ["serial(width: 2, timeout: 13ms, on-failure: continue)"]
  private static let load = "load SerialQueue Promises OperationGraph RunLoopTransaction\n"

  private static let mixtures: [(patterns: [String], workers: Int)] = [
    (free, 1), (free, 2), (free + cancelling, 1), (free + cancelling, 2), (free + cancelling, 4),
    (free + blocking, 60), (timingOut, 1), (timingOut, 2), (free + timingOut, 2),
    (timingOut + timingOutSeveral, 1), (free + timingOut + timingOutSeveral, 4),
    (blocking + timingOut + timingOutSeveral, 2),
  ]

  @Test(arguments: mixtures)
  func `a slightly longer step delays the run only if it has no slack`(
    patterns: [String], workers: Int
  ) async throws {
    var compositions = RandomCompositions(
      patterns: patterns, leaves: Self.leaves, unit: 1, seed: UInt64(workers))
    for _ in 0..<6 { try await check(compositions.next(), workers: workers) }
  }

  private func check(_ text: String, workers: Int) async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.run([
      "--json", "--clock", "virtual", "--workers", "\(workers)", "--save", "a.runs", "eval",
      Self.load + text + "\ntrace analyse",
    ])
    let run = try #require(try outcome.records("run").first, "\(text): \(outcome.errors)")
    let analysis = try #require(try outcome.records("analysis").first)
    let makespan = try #require(analysis.integer("makespan_ns"))
    let path = analysis.objects("critical_path")
    #expect(
      path.reduce(0) { $0 + ($1.integer("time_ns") ?? 0) } == makespan,
      "\(text): \(path.map { $0.string("step") ?? "" })")

    let steps = zip(run.objects("steps"), analysis.objects("steps"))
      .compactMap { step, slack in Tried(step, slack: slack.integer("slack_ns")) }
    let script = steps.map { "simulate a.runs with \($0.path) * 1.001" }.joined(separator: "\n")
    let simulated = try await home.run(["--json", "eval", Self.load + script])
    let changes = try simulated.records("simulate")
    try #require(changes.count == steps.count, "\(text): \(simulated.errors)")
    for (step, change) in zip(steps, changes) {
      let later = try #require(change.integer("makespan_ns")) - makespan
      let isRight =
        step.room == 0
        ? abs(later - step.more) <= 1 : step.room < step.more || later == 0
      #expect(isRight, "\(text): \(step), and the run ended \(later) ns later")
    }
  }

  /// A leaf that succeeded, and the expected effect of making it a thousandth longer.
  private struct Tried: CustomStringConvertible {
    let path: String
    /// How many nanoseconds longer it may take without delaying the run.
    let room: Int
    /// A thousandth of its own time.
    let more: Int

    init?(_ step: JSONRecord, slack: Int?) {
      guard step["leaf"] as? Bool == true, step.string("outcome") == "success", let slack,
        let path = step.string("path"), let started = step.integer("started_ns"),
        let finished = step.integer("finished_ns"), let late = step.integer("late_ns"),
        finished - late > started
      else { return nil }
      self.path = path
      // A step that waits for its lane at its end may also be due later without any effect.
      room = slack + late
      more = (finished - started - late) / 1000
    }

    var description: String { "“\(path)” may take \(room) ns longer, and took \(more) ns more" }
  }
}
