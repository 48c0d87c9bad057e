import Foundation
import Testing

/// The steps that need no plugin, and the values that flow between them.
@Suite struct StepTests {
  struct Flow: Sendable {
    let script: String
    /// The value of the last run, as JSON.
    let value: String
    var clock = "virtual"
    var files: [String: String] = [:]
  }

  static let flows: [Flow] = [
    Flow(script: "value 5", value: "5"),
    Flow(script: "serial { value 5; sleep 1ms; work 1ms; block 1ms }", value: "5"),
    Flow(script: "serial { value \"a\"; print }", value: "\"a\""),
    Flow(script: "serial { value 1; value 2 }", value: "2"),
    Flow(script: "serial { value 1; serial { sleep 1ms } }", value: "1"),
    Flow(script: "sleep 1ms", value: "null"),
    Flow(script: "serial { value 3; twice 1ms }", value: "3"),
    Flow(script: "promise { value 3; sleep 1ms }", value: "3"),
    Flow(script: "serial.chain { value 3; sleep 1ms }", value: "3"),
    Flow(script: "serial.semaphore { value 3; sleep 1ms }", value: "3"),
    Flow(script: "sh \"printf 'a\\\\n\\\\n'\"", value: "\"a\\n\"", clock: "live"),
    Flow(
      script: "serial { read \"x\"; sh \"wc -c\" }", value: "\"6\"", clock: "live",
      files: ["x": "hello\n"]),
    Flow(
      script: "serial { value \"abc\"; write \"out\"; sleep 1ms }; read \"out\"", value: "\"abc\"",
      clock: "live"),
    Flow(
      script: "serial { value \"abc\"; write \"out\"; read \"out\"; sh \"tr a-z A-Z\" }",
      value: "\"ABC\"", clock: "live"),
  ]

  @Test(arguments: flows)
  func `values flow from step to step`(_ flow: Flow) async throws {
    let home = try PlaygroundHome()
    for (name, text) in flow.files { try home.write(text, to: name) }
    let outcome = try await home.run(
      ["--json", "--clock", flow.clock, "eval", "load SerialQueue Promises; " + flow.script])
    #expect(outcome.code == 0, "\(outcome)")
    let last = outcome.output.split(separator: "\n").last ?? ""
    #expect(last.contains("\"value\":\(flow.value),\"error\""), "\(flow.script)\n\(last)")
  }

  struct Failure: Sendable {
    let script: String
    let error: String
    var clock = "live"
  }

  static let failures: [Failure] = [
    Failure(script: "fail \"no such page\"", error: "no such page", clock: "virtual"),
    Failure(script: "sh \"echo why >&2; exit 3\"", error: "exit status 3: why"),
    Failure(script: "sh \"no-such-command-here\"", error: "127"),
    Failure(script: "read \"none\"", error: "none"),
    Failure(script: "serial { value \"x\"; write \"no/such/file\" }", error: "no/such/"),
  ]

  @Test(arguments: failures)
  func `a failure names its cause`(_ failure: Failure) async throws {
    let outcome = try await PlaygroundHome().run(
      ["--json", "--clock", failure.clock, "eval", "load SerialQueue; " + failure.script])
    #expect(outcome.code == 3, "\(outcome)")
    let run = try #require(try outcome.records("run").first)
    #expect(run.string("outcome") == "failure")
    #expect(run.string("error")?.contains(failure.error) == true, "\(outcome)")
  }

  @Test func `print shows a text or its input`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "load SerialQueue; serial { print \"hello\"; value 12; print }", "--clock", "virtual")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.prefix(2) == ["hello", "12"], "\(outcome)")
  }

  @Test func `ten thousand steps run`() async throws {
    let outcome = try await PlaygroundHome().records(
      "load SerialQueue; serial { 10000 * value 1 }; expect count value == 10000")
    #expect(outcome.code == 0)
    #expect(try outcome.records("expect").first?.string("actual") == "10000")
  }

  // MARK: - Remarks

  @Test func `a second completion is reported and harmless to a queue`() async throws {
    let outcome = try await PlaygroundHome().records(
      """
      load SerialQueue
      serial { a: twice 20ms; b: sleep 50ms; c: sleep 50ms }
      expect lints == completed-twice; expect lints == 1
      expect makespan == 120ms; expect concurrency == 1
      serial.semaphore { a: twice 20ms; b: sleep 50ms; c: sleep 50ms }
      expect lints == completed-twice
      expect concurrency == 2; expect makespan == 90ms
      """)
    #expect(outcome.code == 0, "\(outcome)")
    let lints = try outcome.records("run").first?.objects("lints") ?? []
    #expect(lints.map { $0.string("rule") } == ["completed-twice"])
    #expect(lints.map { $0.string("step") } == ["a"])
    #expect(lints.first?.string("message")?.isEmpty == false)
  }

  @Test func `a blocked thread is reported`() async throws {
    let outcome = try await PlaygroundHome().records(
      """
      load SerialQueue
      serial.semaphore { a: sleep 30ms; b: sleep 20ms }
      expect lints == blocked-thread; expect blocked == 50ms; expect threads == 2
      expect critical a, b
      block 5ms
      expect lints == blocked-thread; expect blocked == 5ms
      serial { a: sleep 30ms; b: sleep 20ms }
      expect lints == none; expect blocked == 0ms; expect threads == 1
      """)
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `a step that never completes is reported`() async throws {
    let outcome = try await PlaygroundHome().records(
      "load SerialQueue; serial { a: never; b: value 1 }")
    #expect(outcome.code == 4)
    let lint = try outcome.records("run").first?.objects("lints").first
    #expect(lint?.string("rule") == "never-completed")
    #expect(lint?.string("step") == "a")
    #expect(outcome.errors.contains("Deadlock"))
  }

  @Test func `a step runs on the lane that it asks for`() async throws {
    let outcome = try await PlaygroundHome().records(
      "load SerialQueue; serial { a: sleep 1ms with on: main; b: sleep 1ms with on: pool }")
    let steps = try outcome.records("run").first?.objects("steps") ?? []
    #expect(steps.map { $0.string("lane") } == ["main", "pool-1"])
  }

  @Test func `printing adds nothing to a run on the virtual clock`() async throws {
    let outcome = try await PlaygroundHome().records(
      "load SerialQueue; serial { a: print \"x\"; sleep 5ms; b: print \"y\" }")
    let run = try #require(try outcome.records("run").first, "\(outcome)")
    #expect(run.objects("steps").map { $0.string("label") } == ["a", "sleep", "b"])
    #expect(run.integer("threads") == 1 && run.integer("max_concurrency") == 1, "\(outcome)")
  }
}
