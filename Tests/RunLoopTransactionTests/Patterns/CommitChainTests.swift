import RunLoopTransaction
import RunLoopTransactionPatterns
import Testing

/// Checks which commits count as caused by an action, and what happens to steps whose commit is refused.
@Suite struct CommitChainTests {
  /// Starts each step when the one before it has ended.
  private struct OneByOne: AsyncPattern {
    static let manual = Manual(name: "one-by-one", summary: "One step after another.")

    init(_ arguments: Arguments) {}

    func start(
      _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
    ) {
      start(steps[...], input, in: scope, completion)
    }

    private func start(
      _ steps: ArraySlice<Step>, _ input: Value, in scope: Scope,
      _ completion: @escaping Completion
    ) {
      guard let first = steps.first else { return completion(.success(input)) }
      scope.start(first, input: input) { result in
        guard case .success(let value) = result else { return completion(result) }
        start(steps.dropFirst(), value, in: scope, completion)
      }
    }
  }

  private static func transaction(
    _ label: String, _ steps: [Step], cycleLimit: Int? = nil, _ arguments: Arguments = [:]
  ) throws -> Step {
    let type = try #require(
      RunLoopTransactionPlugin.patterns.first { $0.manual.name == "transaction" })
    var written = arguments.names.map { (name: String?.some($0), value: arguments[$0] ?? .none) }
    if let cycleLimit { written.append((name: "cycle-limit", value: .integer(cycleLimit))) }
    return Step(label, pattern: try type.init(type.manual.resolve(written)), steps: steps)
  }

  private struct Ended {
    let results: [Result<Value, any Error>]
    let recording: Recording

    var value: Value? { try? results.first?.get() }
    var error: (any Error)? {
      if case .failure(let error)? = results.first { error } else { nil }
    }
  }

  /// Runs a step on the virtual clock until nothing is left to do.
  private static func simulate(_ step: Step) -> Ended {
    let recording = Recording()
    let runtime = SimulatedRuntime(trace: recording)
    let results = Locked<[Result<Value, any Error>]>([])
    Run(step, on: runtime) { result in results.withLock { $0.append(result) } }
    runtime.runUntilIdle()
    return Ended(results: results.withLock { $0 }, recording: recording)
  }

  @Test func `patterns that run one after another are not reported as a cycle`() throws {
    let steps = try (1...2_000).map {
      try Self.transaction("t-\($0)", [.value("a", .integer($0))])
    }
    let outcome = Self.simulate(Step("whole", pattern: OneByOne([:]), steps: steps))
    #expect(outcome.value == .list([.integer(2_000)]), "\(outcome.results)")
    #expect(outcome.recording.misuse == [])
  }

  @Test(arguments: 0...1)
  func `a pattern within a step of another is not reported as a cycle`(cycleLimit: Int) throws {
    var step = Step.value("a", .integer(1))
    for depth in 1...4 {
      step = try Self.transaction("t-\(depth)", [step], cycleLimit: cycleLimit)
    }
    let outcome = Self.simulate(step)
    #expect(outcome.value == .list([.list([.list([.list([.integer(1)])])])]))
    #expect(outcome.recording.misuse == [])
  }

  @Test func `steps whose commit is refused fail with that reason`() throws {
    let label = Label("a", Log())
    let inner = try Self.transaction(
      "whole", [.value("a", .integer(1)), .value("b", .integer(2))], cycleLimit: 0)
    let outcome = Self.simulate(
      Step("outer") { input, scope, completion in
        let own = TransactionQueue(runtime: scope.runtime)
        Transaction(label, "start") { _ in
          withExtendedLifetime(own) { scope.start(inner, input: input, completion: completion) }
        }.commit(to: own)
      })
    #expect(outcome.results.count == 1)
    let error = "\(try #require(outcome.error))"
    #expect(error.contains("the commit of “a” was refused"), "\(error)")
    #expect(error.contains("cycle-limit: 0"), "\(error)")
    #expect(outcome.recording.misuse == ["commit-cycle", "commit-cycle"])
    let report = outcome.recording.events.first { $0.kind == .misuse }?.detail ?? ""
    #expect(
      report.contains("step “a” was committed by the action of “Label”, “start”"), "\(report)")
    // A refused step does not wait for a turn.
    #expect(!outcome.recording.events.contains { $0.kind == .mark && $0.name == "committed" })
  }

  @Test(arguments: ["caller", "main", "pool"], [false, true])
  func `steps of one key that commit themselves again are refused or end, under every schedule`(
    place: String, isLastAgain: Bool
  ) throws {
    let key = Value.string("k")
    let steps = [
      Step.value("a", .integer(1)).with("key", key).with("again", .bool(true)),
      Step.value("b", .integer(2)).with("key", key).with("again", .bool(isLastAgain)),
      Step.value("c", .integer(3)).with("key", key).with("priority", .string("high")),
    ]
    let step = try Self.transaction(
      "whole", isLastAgain ? Array(steps.reversed()) : steps, cycleLimit: 8,
      ["from": .string(place)])
    let report = Exploration(schedules: 500, isRecording: true).explore(step) { trial in
      // The report of the refusal is correct here, so it is not checked as misuse.
      trial.escaped() ?? trial.unfinished()
    }
    #expect(report.violations == 0, "\(report.violation?.finding.description ?? "")")
  }

  @Test func `a step that commits itself again keeps its priority`() throws {
    let outcome = Self.simulate(
      try Self.transaction(
        "whole",
        [
          .value("again", .integer(1)).with("again", .bool(true)).with("priority", .string("high")),
          .value("other", .integer(2)),
        ], cycleLimit: 3, ["batch": .integer(1)]))
    // The step “again” runs first in each turn. The other step waits until the commit is refused.
    let kinds = outcome.recording.events.map(\.kind).filter { $0 == .started || $0 == .misuse }
    #expect(kinds == [.started, .started, .misuse, .started], "\(kinds)")
    #expect("\(try #require(outcome.error))".contains("in each of 4 turns"))
  }

  @Test func `one turn is not reported as several`() throws {
    let outcome = Self.simulate(
      try Self.transaction(
        "whole", [.value("layout", .integer(1)).with("again", .bool(true))], cycleLimit: 0))
    let error = "\(try #require(outcome.error))"
    #expect(
      error
        == "“layout” has committed itself again, and the commit was refused; commit only what has changed"
    )
    let report = outcome.recording.events.first { $0.kind == .misuse }?.detail ?? ""
    #expect(
      report.contains("commits itself again when it is performed: the commit was refused"),
      "\(report)")
  }
}
