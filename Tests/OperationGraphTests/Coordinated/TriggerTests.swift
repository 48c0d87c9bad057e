import AsyncSimulation
import OperationGraph
import PatternTesting
import Testing

@Suite struct TriggerTests {
  private let stage = Stage()

  /// How three operations end before the one with the trigger, and the resulting state of that one.
  struct Case: CustomTestStringConvertible {
    let trigger: OperationGraph.Trigger
    /// The ends at 10, 20 and 30 ms: `s`, `f`, `c` or `k` for succeeded, failed, cancelled or skipped.
    let before: String
    let state: String
    var testDescription: String { "\(trigger.rawValue) after \(before)" }
  }

  static let cases: [Case] = [
    Case(trigger: .allSucceeded, before: "sss", state: "succeeded@30"),
    Case(trigger: .allSucceeded, before: "sfs", state: "skipped"),
    Case(trigger: .allSucceeded, before: "sks", state: "skipped"),
    Case(trigger: .allSucceeded, before: "sfc", state: "cancelled"),
    Case(trigger: .allDone, before: "sss", state: "succeeded@30"),
    Case(trigger: .allDone, before: "fck", state: "succeeded@10"),
    Case(trigger: .allDone, before: "fff", state: "succeeded@30"),
    Case(trigger: .anySucceeded, before: "sff", state: "succeeded@10"),
    Case(trigger: .anySucceeded, before: "fsf", state: "succeeded@20"),
    Case(trigger: .anySucceeded, before: "fff", state: "skipped"),
    Case(trigger: .anySucceeded, before: "ffc", state: "cancelled"),
    Case(trigger: .anyFailed, before: "sfs", state: "succeeded@20"),
    Case(trigger: .anyFailed, before: "sss", state: "skipped"),
    Case(trigger: .anyFailed, before: "ssc", state: "cancelled"),
    Case(trigger: .noneFailed, before: "sks", state: "succeeded@30"),
    Case(trigger: .noneFailed, before: "kkk", state: "succeeded@0"),
    Case(trigger: .noneFailed, before: "sfk", state: "skipped"),
    Case(trigger: .noneFailed, before: "skc", state: "cancelled"),
  ]

  @Test(arguments: cases) func `a trigger depends on the predecessors' ends`(_ row: Case) throws {
    var graph = OperationGraph()
    var before: [OperationGraph.Operation<String>] = []
    for (index, kind) in row.before.enumerated() {
      let (name, time) = ("\(index)", 10 * (index + 1))
      switch kind {
      case "s":
        before.append(
          graph.addWithCompletion(name, of: String.self, perform: stage.work(name, time)))
      case "f":
        before.append(
          graph.addWithCompletion(name, of: String.self, perform: stage.fail(name, time)))
      case "c":
        before.append(
          graph.addWithCompletion(name, of: String.self, perform: stage.work(name, 1_000)))
      default:
        let gate = graph.addWithCompletion("gate", of: String.self, perform: stage.work("gate", 0))
        before.append(graph.add(name, gate, when: { _ in false }, perform: { $0 }))
      }
    }
    let last = graph.addWithCompletion(
      "last", of: String.self, after: before[0], before[1], before[2], with: .trigger(row.trigger),
      perform: stage.work("last", 0))
    let run = try graph.launch(onFailure: .finishIndependent, runtime: stage.runtime)
    for (index, kind) in row.before.enumerated() where kind == "c" {
      let operation = before[index]
      stage.at(5) { run.cancel(operation) }
    }
    stage.finish()
    let start = stage.log.entries.first { $0.hasPrefix("last+") }?.dropFirst(5)
    #expect("\(run.state(of: last))\(start.map { "@\($0)" } ?? "")" == row.state)
    #expect(run.result != nil)
  }

  @Test func `an outcome distinguishes failed, cancelled and skipped`() throws {
    var graph = OperationGraph()
    let good = graph.addWithCompletion("good", of: String.self, perform: stage.work("good", 1))
    let bad = graph.addWithCompletion("bad", of: String.self, perform: stage.fail("bad", 1))
    let off = graph.addWithCompletion("off", of: String.self, perform: stage.work("off", 9))
    let left = graph.add("left", bad) { $0 }
    let shown = graph.add(
      "shown", good.outcome, bad.outcome, off.outcome, left.outcome, with: .trigger(.allDone)
    ) { "\($0) \($1) \($2) \($3)" }
    let run = try graph.launch(onFailure: .continue, runtime: stage.runtime)
    stage.at(3) { run.cancel(off) }
    stage.finish()
    #expect(
      run.outcome(of: shown)?.value == "success(\"good\") failure(bad) cancelled skipped")
    let failures = try #require(run.failure as? GraphFailures)
    #expect(failures.description == "“bad” failed: bad")
  }

  @Test func `a list of outcomes has the end of each operation, and a list of values all values`()
    throws
  {
    var graph = OperationGraph()
    let good = graph.addWithCompletion("good", of: String.self, perform: stage.work("good", 9))
    let bad = graph.addWithCompletion("bad", of: String.self, perform: stage.fail("bad", 1))
    let all = graph.join([good, bad].map(\.outcome), named: "all", with: .trigger(.allDone))
    let values = graph.join([good, bad], with: .trigger(.allDone))
    let some = graph.join([good, bad].map(\.outcome), with: .trigger(.anyFailed))
    let run = try graph.launch(
      onFailure: .finishIndependent, isRecording: true, runtime: stage.runtime)
    stage.finish()
    let shown = try #require(run.outcome(of: all)?.value)
    #expect(shown.map { "\($0)" } == ["success(\"good\")", "failure(bad)"])
    #expect("\(run.state(of: values))" == "skipped")
    #expect("\(run.state(of: some))" == "succeeded")
  }

  @Test func `an operation never starts without its input values, whatever its trigger`() throws {
    var graph = OperationGraph()
    let fast = graph.addWithCompletion("fast", of: String.self, perform: stage.work("fast", 1))
    let slow = graph.addWithCompletion("slow", of: String.self, perform: stage.work("slow", 20))
    let bad = graph.addWithCompletion("bad", of: String.self, perform: stage.fail("bad", 1))
    let both = graph.add("both", fast, slow, with: .trigger(.anySucceeded)) { "\($0) \($1)" }
    let without = graph.add("without", bad, slow, with: .trigger(.allDone)) { "\($0) \($1)" }
    var body = OperationGraph()
    let text = body.input(String.self)
    let round = body.add("round", text) { $0 }
    let loop = graph.loop(
      "loop", from: bad, over: body, input: text, output: round, with: .trigger(.allDone)
    ) { _ in false }
    let run = try graph.launch(onFailure: .finishIndependent, runtime: stage.runtime)
    stage.finish()
    #expect(run.outcome(of: both)?.value == "fast slow")
    #expect("\(run.state(of: without))" == "skipped")
    #expect("\(run.state(of: loop))" == "skipped")
  }

  @Test(arguments: OperationGraph.FailurePolicy.allCases)
  func `a policy decides what a failure does to the other operations`(
    _ policy: OperationGraph.FailurePolicy
  ) throws {
    var graph = OperationGraph()
    let bad = graph.addWithCompletion("bad", of: String.self, perform: stage.fail("bad", 10))
    let running = graph.addWithCompletion(
      "running", of: String.self, perform: stage.work("running", 20))
    let dependent = graph.addWithCompletion(
      "dependent", of: String.self, after: bad, perform: stage.work("dependent", 1))
    let independent = graph.addWithCompletion(
      "independent", of: String.self, after: running, perform: stage.fail("late", 1))
    let run = try graph.launch(onFailure: policy, isRecording: true, runtime: stage.runtime)
    stage.finish()
    let states = run.states([
      ("bad", bad), ("running", running), ("dependent", dependent), ("independent", independent),
    ])
    switch policy {
    case .stop:
      #expect(
        states == [
          "bad: failed: bad", "running: succeeded", "dependent: cancelled",
          "independent: cancelled",
        ])
      #expect(run.failure as? StepFailure == StepFailure("bad"))
    case .cancelAll:
      #expect(
        states == [
          "bad: failed: bad", "running: cancelled", "dependent: cancelled",
          "independent: cancelled",
        ])
      #expect(run.failure as? StepFailure == StepFailure("bad"))
    case .finishIndependent, .continue:
      #expect(
        states == [
          "bad: failed: bad", "running: succeeded", "dependent: skipped",
          "independent: failed: late",
        ])
      if policy == .continue {
        #expect(
          (run.failure as? GraphFailures)?.failures.map(\.operation) == ["bad", "independent"])
      } else {
        #expect(run.failure as? StepFailure == StepFailure("bad"))
      }
    }
    #expect(policy == .cancelAll ? stage.milliseconds == 10 : stage.milliseconds >= 20)
  }

  @Test func `an operation that could never start is refused`() throws {
    var graph = OperationGraph()
    graph.add("lonely", with: .trigger(.anySucceeded)) {}
    #expect(throws: TriggerError.self) { try graph.launch(runtime: stage.runtime) }
    var other = OperationGraph()
    let first = other.add("first") {}
    other.add("alarm", after: first, with: .trigger(.anyFailed)) {}
    let error = #expect(throws: TriggerError.self) { try other.launch(runtime: stage.runtime) }
    #expect(error?.description.contains("“alarm”") == true)
    _ = try other.launch(onFailure: .continue, runtime: stage.runtime)
    stage.finish()
  }

  @Test(.unlessThreadSanitized) func `skipping a hundred thousand in a row needs no stack`() throws
  {
    var graph = OperationGraph()
    var last = graph.add("first") { throw StepFailure("no") }
    for _ in 0..<100_000 { last = graph.add(after: last) {} }
    let chained = last
    let run = try graph.launch(onFailure: .continue, on: .inline, runtime: stage.runtime)
    #expect("\(run.state(of: chained))" == "skipped")
    #expect(run.progress.skipped == 100_000)
  }

  @Test(.unlessThreadSanitized) func `a hundred thousand false conditions in a row need no stack`()
    throws
  {
    var graph = OperationGraph()
    var last = graph.add("first") { 0 }
    for _ in 0..<100_000 {
      last = graph.add(
        "", last.outcome, when: { _ in false }, with: .trigger(.allDone), perform: { _ in 1 })
    }
    let chained = last
    let run = try graph.launch(on: .inline, runtime: stage.runtime)
    #expect("\(run.state(of: chained))" == "skipped")
    #expect(run.result != nil)
  }
}
