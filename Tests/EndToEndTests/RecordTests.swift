import Testing

/// The JSON Lines that other programs read.
@Suite struct RecordTests {
  @Test func `the record of a run contains every field`() async throws {
    let outcome = try await PlaygroundHome().records(
      "load SerialQueue; serial { sleep 20ms; sleep 10ms }", "--seed", "7")
    #expect(outcome.code == 0)
    let records = try outcome.records()
    try #require(records.count == 1)
    let run = records[0]
    #expect(run.string("record") == "run")
    #expect(run.string("name") == "serial { sleep 20ms; sleep 10ms }")
    #expect(run.string("pattern") == "serial")
    #expect(run.string("clock") == "virtual")
    #expect(run.integer("seed") == 7)
    #expect(run.string("outcome") == "success")
    #expect(run.isNull("value"))
    #expect(run.isNull("error"))
    #expect(run.integer("makespan_ns") == 30_000_000)
    #expect(run.integer("work_ns") == 0)
    #expect(run.integer("blocked_ns") == 0)
    #expect(run.integer("max_concurrency") == 1)
    #expect(run.integer("threads") == 1)
    #expect(run.strings("critical_path") == ["sleep", "sleep-2"])
    #expect(run.objects("lints").isEmpty && run["lints"] != nil)

    let edges = run.objects("edges")
    #expect(edges.map { $0.string("from") } == ["sleep"])
    #expect(edges.map { $0.string("to") } == ["sleep-2"])
    #expect(edges.map { $0.string("kind") } == ["dependency"])

    let steps = run.objects("steps")
    #expect(steps.map { $0.string("label") } == ["sleep", "sleep-2"])
    #expect(steps.map { $0.string("path") } == ["sleep", "sleep-2"])
    #expect(steps.map { $0.string("pattern") } == ["sleep", "sleep"])
    #expect(steps.map { $0.integer("submitted_ns") } == [0, 0])
    #expect(steps.map { $0.integer("started_ns") } == [0, 20_000_000])
    #expect(steps.map { $0.integer("finished_ns") } == [20_000_000, 30_000_000])
    #expect(steps.map { $0.string("lane") } == ["pool-1", "pool-1"])
    #expect(steps.map { $0.string("outcome") } == ["success", "success"])
  }

  @Test func `the same seed gives the same bytes`() async throws {
    let script = "load SerialQueue; serial { 3 * work 5ms; block 2ms; value \"b\" }"
    let home = try PlaygroundHome()
    let first = try await home.records(script)
    #expect(try await home.records(script).output == first.output)
    let run = try #require(try first.records("run").first)
    #expect(run.integer("makespan_ns") == 17_000_000)
    #expect(run.integer("work_ns") == 15_000_000)
    #expect(run.integer("blocked_ns") == 2_000_000)
    #expect(run.string("value") == "b")
  }

  @Test func `the live clock fills the same fields`() async throws {
    let home = try PlaygroundHome()
    let script = "load SerialQueue; serial { a: sleep 1ms; b: serial { c: work 1ms; d: value 2 } }"
    let live = try #require(try await home.eval(script, "--json").records("run").first)
    let virtual = try #require(try await home.records(script).records("run").first)
    #expect(live.names.isSuperset(of: virtual.names))
    #expect(live.string("clock") == "live")
    #expect(live.integer("makespan_ns").map { $0 >= 2_000_000 } == true)
    #expect(live.objects("steps").map { $0.string("path") } == ["a", "b", "b/c", "b/d"])
    #expect(virtual.objects("steps").map { $0.string("path") } == ["a", "b", "b/c", "b/d"])
    #expect(virtual.integer("value") == 2)
  }

  static let values: [(written: String, json: String)] = [
    ("5", "5"), ("-2.5", "-2.5"), ("\"a\\n\\\"b\"", "\"a\\n\\\"b\""), ("true", "true"),
    ("20ms", "20000000"),
  ]

  @Test(arguments: values)
  func `values are written as JSON`(written: String, json: String) async throws {
    let outcome = try await PlaygroundHome().records("value \(written)")
    #expect(outcome.output.contains("\"value\":\(json),\"error\""), "\(outcome)")
  }

  @Test func `the record of a failure contains its cause`() async throws {
    let outcome = try await PlaygroundHome().records(
      "load SerialQueue; serial { a: value 1; b: fail \"no such page\"; c: value 3 }")
    #expect(outcome.code == 3)
    let run = try #require(try outcome.records("run").first)
    #expect(run.string("outcome") == "failure")
    #expect(run.string("error") == "no such page")
    let steps = run.objects("steps")
    #expect(steps.first { $0.string("label") == "b" }?.string("outcome") == "failure")
    #expect(steps.first { $0.string("label") == "c" }?.isNull("started_ns") ?? true)
  }

  @Test func `the record of a comparison contains its rows`() async throws {
    let outcome = try await PlaygroundHome().records(
      """
      load SerialQueue
      job = [ a: sleep 20ms; b: work 10ms ]
      compare job under serial, serial.semaphore runs 3
      expect ratio serial.semaphore == 1
      expect verdict serial.semaphore != same
      """)
    #expect(outcome.code == 1)
    let comparison = try #require(try outcome.records("compare").first)
    #expect(comparison.string("metric") == "makespan")
    #expect(comparison.string("baseline") == "serial")
    let rows = comparison.objects("rows")
    #expect(rows.map { $0.string("name") } == ["serial", "serial.semaphore"])
    for row in rows {
      #expect(row.integer("runs") == 3)
      for field in ["median_ns", "ci_low_ns", "ci_high_ns"] {
        #expect(row.integer(field) == 30_000_000)
      }
      for field in ["ratio", "ratio_ci_low", "ratio_ci_high"] { #expect(row.integer(field) == 1) }
      #expect(row.isNull("p"))
    }
    #expect(rows.map { $0.string("verdict") } == ["baseline", "same"])
    let expectations = try outcome.records("expect")
    #expect(expectations.map { $0.bool("passed") } == [true, false])
    #expect(expectations.map { $0.string("actual") } == ["1.000", "same"])
    #expect(expectations.map { $0.integer("line") } == [4, 5])
  }

  @Test func `expectations and errors have a file and a line`() async throws {
    let home = try PlaygroundHome()
    let file = try home.write(
      "value 35ms\nexpect value < 40ms\nexpect value == 1s\nshow 9\n", to: "x.play")
    let outcome = try await home.run(["--json", "run", file])
    #expect(outcome.code == 2)
    let expectations = try outcome.records("expect")
    #expect(expectations.map { $0.string("text") } == ["value < 40ms", "value == 1s"])
    #expect(expectations.map { $0.bool("passed") } == [true, false])
    #expect(expectations.map { $0.string("actual") } == ["35ms", "35ms"])
    #expect(expectations.map { $0.string("file") } == [file, file])
    #expect(expectations.map { $0.integer("line") } == [2, 3])
    #expect(try outcome.records("error").map { $0.string("message") } == ["there is no run 9"])

    try home.write("value 1\n\n  serail { a }\n", to: "x.play")
    let refused = try await home.run(["run", file, "--json"])
    #expect(refused.code == 2)
    let errors = try refused.records()
    #expect(errors.map { $0.string("record") } == ["error"])
    #expect(errors.first?.string("file") == file)
    #expect(errors.first?.integer("line") == 3)
    #expect(errors.first?.integer("column") == 3)
    #expect(errors.first?.string("message")?.contains("serail") == true)
  }

  /// With `--json`, all text for users goes to standard error.
  @Test func `text for people is not written to standard output`() async throws {
    let outcome = try await PlaygroundHome().eval(
      """
      load SerialQueue
      job = [ a: print "hello"; b: value 1 ]
      serial job
      serial job &
      jobs; wait; runs; show 1; names; set; help; help serial; patterns; plugins
      compare job under serial, serial.chain; compare runs 1, 2
      expect value == 1; cancel; show 44
      """, "--json", "--clock", "virtual")
    #expect(outcome.code == 2)
    for record in try outcome.records() { #expect(record.string("record") != nil) }
    for text in ["hello", "critical path", "there is no run 44", "serial.semaphore"] {
      #expect(outcome.errors.contains(text))
    }
  }
}
