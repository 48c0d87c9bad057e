import Foundation
import Testing

/// `trace analyse`, `trace why` and `trace show --step`: where the time went and what delayed each step, as text and as
/// JSON.
@Suite struct AnalyseTests {
  private static let graph = """
    load OperationGraph
    graph(width: 2) { a: sleep 10ms; b: sleep 20ms; c: sleep 5ms after a; d: work 4ms after a; e: sleep 8ms after c; \
    f: work 6ms after b, d }
    """

  private static func told(_ script: String, _ command: String) async throws -> String {
    let outcome = try await PlaygroundHome().eval(
      "\(script)\n\(command)", "--clock", "virtual", environment: ["COLUMNS": "100"])
    #expect(outcome.code == 0, "\(outcome)")
    // The analysis comes after the picture of the run.
    return outcome.output
  }

  @Test func `a blocking queue: which step woke which, and whose lane was blocked`() async throws {
    let text = try await Self.told(
      "load SerialQueue; serial.semaphore { fetch: sleep 20ms; parse: work 5ms; store: sleep 10ms }",
      "trace analyse")
    for line in [
      "makespan       35ms", "work           5ms", "blocked        35ms",
      "all steps together: for dependencies 0ns, in queues 45ms",
      "concurrency    1     on average, at most 1",
      "Critical path: steps 35ms, 100% of the makespan",
    ] {
      #expect(text.contains(line), "\(line)\n\(text)")
    }
    let path = text.components(separatedBy: "Critical path:").last ?? ""
    #expect(path.contains("fetch  20ms  57%"), "\(text)")
    #expect(path.contains("fetch woke serial.semaphore"), "\(text)")
  }

  @Test func `a graph: dependencies, permits and slack`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.records(Self.graph + "\ntrace analyse")
    let run = try #require(try outcome.records("run").last)
    let analysis = try #require(try outcome.records("analysis").last, "\(outcome)")
    for name in ["makespan_ns", "work_ns", "blocked_ns", "max_concurrency"] {
      #expect(analysis.integer(name) == run.integer(name))
    }
    #expect(
      analysis.objects("critical_path").compactMap { $0.string("step") }
        == run.strings("critical_path"))
    let path = analysis.objects("critical_path")
    let parts = path.reduce(0) { sum, step in
      sum + (step.integer("time_ns") ?? 0)
        + ((step.fields["hand_over"] as? [String: Any])?["delay_ns"] as? Int ?? 0)
    }
    #expect(parts + (analysis.integer("tail_ns") ?? 0) == run.integer("makespan_ns"))
    #expect(
      analysis.objects("steps").map { $0.string("path") }
        == run.objects("steps").map { $0.string("path") })
    // Critical steps have no slack.
    for (step, more) in zip(run.objects("steps"), analysis.objects("steps")) {
      if step.bool("critical") == true { #expect(more.integer("slack_ns") == 0, "\(more)") }
    }
  }

  @Test(arguments: [82, 64])
  func `in a narrow window, long paths are shortened, and columns left out`(width: Int) async throws
  {
    let path = "the-first-of-the-groups/one-more-within-the-first/innermost"
    let groups = path.split(separator: "/")
    let script = """
      load OperationGraph
      group { \(groups[0]): group { \(groups[1]): group { \(groups[2]): sleep 5ms; b: sleep 3ms } } }
      trace analyse
      """
    let whole = try await PlaygroundHome().eval(script, "--clock", "virtual")
    #expect(whole.output.contains("  \(path)  "), "\(whole)")
    let narrow = try await PlaygroundHome().eval(
      script, "--clock", "virtual", "--set", "width=\(width)", environment: ["LANG": "C.UTF-8"])
    let tables = narrow.output.components(separatedBy: "Critical path:").last ?? ""
    #expect(!tables.contains(path) && tables.contains("/innermost  "), "\(tables)")
    #expect(tables.contains("the-fir") && tables.contains("…"), "\(tables)")
    for line in tables.split(separator: "\n") { #expect(line.count <= width, "\(line)") }
    #expect(tables.contains("  slack") && tables.contains("  lane") == (width == 82), "\(tables)")
  }

  @Test(arguments: [50, 80])
  func `in a narrow window, the name of a run is shortened`(width: Int) async throws {
    let steps = (1...6).map { "step-\($0): sleep 1ms" }.joined(separator: "; ")
    let script = "load SerialQueue; serial { \(steps) }; runs; trace analyse"
    let whole = try await PlaygroundHome().eval(script, "--clock", "virtual")
    let row = "1    success  6ms       serial { \(steps) }"
    #expect(whole.output.contains("\n\(row)\n"), "\(whole)")
    let narrow = try await PlaygroundHome().eval(
      script, "--clock", "virtual", "--set", "width=\(width)", environment: ["LANG": "C.UTF-8"])
    #expect(narrow.output.contains("\n\(row.prefix(width - 1))…\n"), "\(narrow)")
    let heading = "serial { \(steps) }".prefix(width - 11) + "… · success"
    #expect(narrow.output.contains("\n\(heading)\n\nWhere the time went"), "\(narrow)")
  }

  @Test func `repeated steps: one row each, and one for all groups`() async throws {
    let text = try await Self.told(
      """
      load OperationGraph Promises SerialQueue
      all {
        a: bounded(4) { page: 200 * sleep 1ms }
        b: bounded(4) { page: 200 * sleep 2ms }
        c: serial { page: 200 * sleep 100us }
        d: group { page: 200 * sleep 5ms }
      }
      """, "trace analyse")
    for line in [
      "page × 800 in 4 groups", "a/page × 200", "b/page × 200", "c/page × 200", "d/page × 200",
    ] {
      #expect(text.contains(line), "\(line)\n\(text)")
    }
    let lines = text.split(separator: "\n")
    let row = try #require(lines.first { $0.contains("c/page × 200") })
    #expect(row.split(separator: " ").suffix(4) == ["100us", "100us", "100us", "100us"])
    // 50 steps in a row are one line, and the table shows none of the 800 steps.
    #expect(lines.contains { $0.contains("b/page-4 … b/page-200 (50)") }, "\(text)")
    #expect(text.contains("more steps, most repeated"), "\(text)")
  }

  @Test func `one step: what it waited for, and until when`() async throws {
    let text = try await Self.told(Self.graph, "trace why f")
    #expect(text.contains("f (work): success"), "\(text)")
    #expect(text.contains("for the dependency b to end, until 20ms"), "\(text)")
    let woken = try await Self.told(
      "load SerialQueue; serial.semaphore { a: sleep 20ms; b: work 5ms }", "trace why b")
    #expect(woken.contains("for a to wake serial.semaphore, until 20ms"), "\(woken)")
    let wrong = try await PlaygroundHome().eval(
      "\(Self.graph)\ntrace why fetsch", "--clock", "virtual")
    #expect(wrong.code == 2 && wrong.errors.contains("the run has no step “fetsch”"), "\(wrong)")
    let far = try await PlaygroundHome().eval(
      "\(Self.graph)\ntrace why nothing", "--clock", "virtual")
    #expect(far.code == 2 && far.errors.contains("“trace show” names the steps"), "\(far)")
    let nothing = try await PlaygroundHome().eval("trace why a")
    #expect(nothing.code == 2 && nothing.errors.contains("nothing has been run yet"))
  }

  @Test func `saved runs can be analysed on the command line`() async throws {
    let home = try PlaygroundHome()
    let saved = try await home.eval(Self.graph, "--clock", "virtual", "--save", "a.runs")
    #expect(saved.code == 0)
    let why = try await home.run(["trace", "why", "a.runs", "c", "--json"])
    #expect(why.code == 0)
    let record = try #require(try why.records("why").first, "\(why)")
    #expect(record.string("step") == "c")
    #expect(record.objects("waits").first?.string("kind") == "dependency")
    let shown = try await home.run(["trace", "show", "a.runs", "--step", "c"])
    #expect(shown.code == 0 && shown.output.contains("c · success · makespan"), "\(shown)")
    for (arguments, complaint) in [
      (["trace", "why", "a.runs"], "“trace why” needs a step"),
      (["trace", "show", "a.runs", "--follow"], "so it works only at the prompt"),
      (["trace", "analyse", "a.runs", "--step", "c"], "Unknown option '--step'"),
      (["trace", "wy", "a.runs"], "did you mean “why”?"),
      (["trace", "show"], "needs a file"),
      (["trace", "show", "a.runs", "--step", "zz"], "the run has no step “zz”"),
    ] {
      let outcome = try await home.run(arguments)
      #expect(outcome.code == 2 && outcome.errors.contains(complaint), "\(outcome)")
    }
  }

  @Test func `a movement of key frames is a step that runs`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.records(
      """
      load SerialQueue
      serial { before: sleep 50ms; move: keyframes(100ms) { up: value 1; down: value 0 } }
      trace analyse
      """)
    let run = try #require(try outcome.records("run").last)
    #expect(run.strings("critical_path") == ["before", "up", "down", "animation"])
    #expect(
      run.objects("edges").map { "\($0.string("from") ?? "") \($0.string("to") ?? "")" }
        == ["before move", "up down", "down animation"])
    let animation = try #require(
      run.objects("steps").first { $0.string("path") == "move/animation" })
    #expect(animation.string("pattern") == "animate")
    #expect(animation.integer("started_ns") == 50_000_000)
    #expect(animation.integer("finished_ns") == 250_000_000)
    let analysis = try #require(try outcome.records("analysis").last)
    #expect(analysis.integer("idle_ns") == 0, "\(outcome)")
    #expect(analysis.objects("steps").map { $0.integer("slack_ns") } == [0, 0, 0, 0, 0])
    #expect(analysis.string("advice")?.contains("start with “animation”") == true, "\(outcome)")
    #expect(outcome.errors.contains("start with “animation”"))
  }

  @Test func `a family is opened by its name`() async throws {
    let text = try await Self.told(
      "load OperationGraph; bounded(4) { page: 100 * sleep 10ms }", "trace show --step page")
    #expect(text.contains("page × 100"), "the run")
    #expect(text.contains("* page-100") && text.contains("  page-42 "), "\(text)")
    #expect(!text.contains("more steps"))
    let why = try await Self.told(
      "load OperationGraph; bounded(4) { page: 100 * sleep 10ms }", "trace why page")
    #expect(why.contains("page-1 (sleep)") && why.contains("… and 90 more called “page”"), "\(why)")
  }

  @Test func `lanes on demand`() async throws {
    let home = try PlaygroundHome()
    let script =
      "load SerialQueue; serial.semaphore { fetch: sleep 20ms; parse: work 5ms; store: sleep 10ms }"
    let shown = try await home.eval(
      "\(script); show lanes; value 1; show 1 lanes", "--clock", "virtual", "--save", "a.runs")
    let row = "blocked 35ms 100%"
    #expect(shown.output.ranges(of: row).count == 2, "\(shown)")
    #expect(shown.output.contains("▒ serial.semaphore ▒"))
    for arguments in [
      ["eval", "trace show --lanes --run 1 a.runs"], ["trace", "show", "a.runs", "--lanes"],
    ] {
      let again = try await home.run(arguments)
      #expect(again.output.contains(row) && again.output.contains("work 5ms 14%"), "\(again)")
      let plain = try await home.run(arguments, environment: ["LANG": "C"])
      #expect(plain.output.utf8.allSatisfy { $0 < 0x80 } && plain.output.contains(row))
    }
    let records = try await home.run(["--json", "trace", "show", "--lanes", "a.runs"])
    let lanes = try #require(try records.records("lanes").first).objects("lanes")
    #expect(lanes.map { $0.string("lane") } == ["main", "pool-1", "pool-2"])
    #expect(lanes.map { $0.integer("blocked_ns") } == [0, 35_000_000, 0])
    for wrong in ["trace show --lanes --step a a.runs", "trace lint --lanes a.runs", "show lane"] {
      #expect(try await home.eval(wrong).code == 2)
    }
  }

  @Test func `the cost of recording is stated if it is part of the measured time`() async throws {
    let home = try PlaygroundHome()
    let live = try await home.eval("value 1; trace analyse", "--save", "a.runs")
    #expect(live.output.contains("each; all times here include it"), "\(live)")
    let records = try await home.run(["trace", "analyse", "a.runs", "--json"])
    let run = try #require(try records.records("run").first)
    let each = try #require(run.fields["overhead_ns"] as? Double)
    let events = try #require(run.integer("events"))
    let whole = try #require(
      try records.records("analysis").first?.fields["recording_ns"] as? Double)
    #expect(each > 0 && abs(whole - each * Double(events)) < 1e-6)
    let virtual = try await home.eval("value 1; trace analyse", "--clock", "virtual")
    #expect(!virtual.output.contains("recording"))
  }

  @Test func `one start of a step that was started again has a number`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "load Promises; retry(2) { x: sleep 2ms; y: fail \"no\" }; trace why \"x #2\"",
      "--clock", "virtual")
    #expect(outcome.output.contains("x #2 (sleep): success"), "\(outcome)")
  }
}
