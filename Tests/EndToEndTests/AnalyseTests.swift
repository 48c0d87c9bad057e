import Foundation
import Testing

/// `trace analyse`, `trace why` and `trace show --step`: where the time went and why not sooner, as text and as JSON.
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
    // What comes after the picture of the run.
    return outcome.output
  }

  @Test func `a blocking queue: who woke whom, and whose lane stood still`() async throws {
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
    // What is critical has no slack.
    for (step, more) in zip(run.objects("steps"), analysis.objects("steps")) {
      if step.bool("critical") == true { #expect(more.integer("slack_ns") == 0, "\(more)") }
    }
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
    // 50 steps in a row are one line, and 800 are none of the table.
    #expect(lines.contains { $0.contains("b/page-4 … b/page-200 (50)") }, "\(text)")
    #expect(text.contains("repeated ones or more"), "\(text)")
  }

  @Test func `one step: what it waited for, and until when`() async throws {
    let text = try await Self.told(Self.graph, "trace why f")
    #expect(text.contains("f (work): success"), "\(text)")
    #expect(text.contains("for b to end, a dependency, until 20ms"), "\(text)")
    let wrong = try await PlaygroundHome().eval(
      "\(Self.graph)\ntrace why fetsch", "--clock", "virtual")
    #expect(wrong.code == 2 && wrong.errors.contains("the run has no step “fetsch”"), "\(wrong)")
    let nothing = try await PlaygroundHome().eval("trace why a")
    #expect(nothing.code == 2 && nothing.errors.contains("nothing has been run yet"))
  }

  @Test func `of saved runs, on the command line`() async throws {
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
      (["trace", "show", "a.runs", "--follow"], "draws a run that goes on"),
      (["trace", "analyse", "a.runs", "--step", "c"], "takes no step"),
      (["trace", "wy", "a.runs"], "did you mean “why”?"),
      (["trace", "show"], "needs a file"),
      (["trace", "show", "a.runs", "--step", "zz"], "the run has no step “zz”"),
    ] {
      let outcome = try await home.run(arguments)
      #expect(outcome.code == 2 && outcome.errors.contains(complaint), "\(outcome)")
    }
  }
}
