import Foundation
import Testing

/// `simulate` runs a recorded run again with the measured times, and with changes to them.
@Suite struct SimulateTests {
  private static let load = "load SerialQueue SwiftConcurrency; "
  private static let job = "job = [ fetch: sleep 20ms; parse: work 5ms; store: sleep 10ms ]; "

  /// A home that contains a file of runs.
  private static func home(
    _ script: String, _ options: String...
  ) async throws -> PlaygroundHome {
    let home = try PlaygroundHome()
    let outcome = try await home.run(
      options + ["--clock", "virtual", "--save", "a.runs", "eval", load + job + script])
    #expect(outcome.code == 0, "\(outcome)")
    return home
  }

  private static func simulate(
    _ rest: String, in home: PlaygroundHome
  ) async throws -> PlaygroundProcess.Outcome {
    try await home.run(["--json", "eval", load + "simulate a.runs" + rest])
  }

  @Test func `an unchanged simulation equals the recording`() async throws {
    let home = try await Self.home("swift.taskgroup { page: 6 * work 10ms; slow: serial job }")
    let outcome = try await Self.simulate("", in: home)
    #expect(outcome.code == 0, "\(outcome)")
    let saved = try await home.run(["trace", "show", "a.runs", "--json"]).records()[0]
    let record = try #require(try outcome.records("run").first)
    #expect(record.string("clock") == "virtual")
    #expect(record.integer("makespan_ns") == 35_000_000)
    for field in ["steps", "edges", "critical_path", "value", "lints"] {
      #expect(record[field] as? NSObject == saved[field] as? NSObject, "\(field)")
    }
    let simulate = try #require(try outcome.records("simulate").first)
    #expect(
      simulate.string("name") == "swift.taskgroup { page: 6 * work 10ms; slow: serial job }")
    for field in ["recorded_ns", "measured_ns", "makespan_ns"] {
      #expect(simulate.integer(field) == 35_000_000)
    }
    #expect(simulate["ratio"] as? Double == 1)
    #expect(simulate.strings("changes") == [])
  }

  static let changes: [(changes: String, makespan: Int, path: [String], workers: Int)] = [
    ("fetch * 0.5", 25_000_000, ["fetch", "parse", "store"], 4),
    ("job * 0.1", 20_000_000, ["page-1", "page-5"], 4),
    ("slow * 0.1, workers = 7", 10_000_000, ["page-1"], 7),
    ("page * 2", 40_000_000, ["page-1", "page-5"], 4),
    // The steps that waited continue on a worker, and the only worker must run six pages first.
    ("slow/fetch*0,  workers = 1", 75_000_000, ["fetch", "parse", "store"], 1),
    ("seed = 3", 35_000_000, ["fetch", "parse", "store"], 4),
  ]

  @Test(arguments: changes)
  func `a changed simulation has the expected makespan`(
    changes: String, makespan: Int, path: [String], workers: Int
  ) async throws {
    let home = try await Self.home("swift.taskgroup { page: 6 * work 10ms; slow: serial job }")
    let outcome = try await Self.simulate(
      " with \(changes); expect makespan == \(makespan)ns; expect outcome == success", in: home)
    #expect(outcome.code == 0, "\(outcome)")
    let simulate = try #require(try outcome.records("simulate").first)
    #expect(simulate.integer("recorded_ns") == 35_000_000)
    #expect(simulate.integer("measured_ns") == 35_000_000)
    #expect(simulate.integer("makespan_ns") == makespan)
    #expect(simulate["ratio"] as? Double == Double(makespan) / 35_000_000)
    #expect(simulate.strings("critical_path_before") == ["fetch", "parse", "store"])
    // Several pages take equally long, and any of them may be on the path.
    let after = try #require(simulate.strings("critical_path"))
    #expect(after.last?.prefix(4) == path.last?.prefix(4), "\(after)")
    #expect(simulate.integer("workers") == workers)
    #expect(simulate.strings("changes")?.count == changes.split(separator: ",").count)
  }

  @Test func `the output compares recording and simulation`() async throws {
    let home = try await Self.home("serial job")
    let outcome = try await home.eval(
      Self.load + "simulate a.runs with fetch * 0.5; runs; trace save b.runs; simulate b.runs")
    #expect(outcome.code == 0, "\(outcome)")
    for line in [
      "  recorded   35ms  virtual clock, 4 workers", "  simulated  35ms  as recorded",
      "  changed    25ms  0.714 × simulated: fetch * 0.5",
      "  critical path before: fetch 20ms → parse 5ms → store 10ms",
      "  critical path after: fetch 10ms → parse 5ms → store 10ms",
      "serial job with fetch * 0.5 · success · makespan 25ms",
      "1    success  25ms      serial job with fetch * 0.5", "saved 1 run to b.runs",
      "serial job with fetch * 0.5 (simulated) · success · makespan 25ms",
    ] {
      #expect(outcome.output.contains(line), "\(line)\n\(outcome)")
    }
  }

  /// The script that writes a file may also simulate it; the steps in the file are then checked when the command runs.
  @Test func `a script can simulate the file that it writes`() async throws {
    let home = try PlaygroundHome()
    let script = Self.load + Self.job + "serial job; trace save a.runs; "
    let good = try await home.records(
      script + "simulate a.runs with parse * 3; expect makespan == 45ms; expect started job/parse")
    #expect(good.code == 0, "\(good)")
    let wrong = try await home.records(script + "simulate a.runs with pars * 3; value 7")
    #expect(wrong.code == 2, "\(wrong)")
    #expect(try wrong.records("run").count == 2)
    #expect(wrong.errors.contains("did you mean “parse”?"))
  }

  @Test func `each name of a sample is simulated once`() async throws {
    let home = try await Self.home("set runs 3; serial job; set runs 1; serial { a: sleep 1ms }")
    let outcome = try await Self.simulate(" with a * 2", in: home)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(
      try outcome.records("simulate").map { $0.integer("makespan_ns") } == [35_000_000, 2_000_000])
    #expect(outcome.errors.contains("The file has 3 of these runs; this one has the median"))
  }

  @Test func `a run that failed fails again`() async throws {
    let home = try PlaygroundHome()
    let script = "serial { a: sleep 3ms; b: fail \"no such page\"; c: sleep 1ms }"
    let made = try await home.run(
      ["--clock", "virtual", "--save", "a.runs", "eval", Self.load + script])
    #expect(made.code == 3)
    let outcome = try await Self.simulate(" with a * 3", in: home)
    #expect(outcome.code == 3, "\(outcome)")
    #expect(try outcome.records("run").first?.string("error") == "no such page")
    #expect(try outcome.records("run").first?.integer("makespan_ns") == 9_000_000)
    #expect(try await Self.simulate("; expect outcome == failure", in: home).code == 0)
  }

  /// Steps with real input, output and work. On the virtual clock they take the times that were measured.
  @Test func `a live recording is simulated with its measured times`() async throws {
    let home = try PlaygroundHome()
    let script = """
      swift.taskgroup { s: serial { sh "echo hi"; write "x.txt"; read "x.txt"; print "done" }; \
      w: work 3ms; b: block 2ms; v: sh "exit 3" }
      """
    let made = try await home.run(["--save", "a.runs", "eval", Self.load + script])
    #expect(made.code == 3, "\(made)")
    let outcome = try await Self.simulate("; expect outcome == failure", in: home)
    #expect(outcome.code == 0, "\(outcome)")
    let run = try #require(try outcome.records("run").first)
    let makespan = try #require(run.integer("makespan_ns"))
    #expect(makespan > 0)
    let labels = Set(run.objects("steps").compactMap { $0.string("label") })
    let path = try #require(run.strings("critical_path"))
    #expect(!path.isEmpty && labels.isSuperset(of: path))
    let simulate = try #require(try outcome.records("simulate").first)
    #expect(simulate.string("clock") == "live")
    // No leaf takes longer than in the recording, and the longest leaf is part of the run.
    let recorded = try #require(simulate.integer("recorded_ns"))
    #expect(makespan <= 2 * recorded)
  }

  static let mistakes: [(script: String, message: String, hint: String)] = [
    ("simulate a.runs with fetsh * 2", "“a.runs” has no step “fetsh”", "did you mean “fetch”?"),
    ("simulate a.runs with page-9 * 2", "“a.runs” has no step “page-9”", "“page-1”?"),
    ("simulate none.runs", "“none.runs” cannot be simulated: it cannot be read", "trace save"),
    (
      "simulate a.play",
      "“a.play” cannot be simulated: this is not a file of runs: a value was expected", "trace save"
    ),
    ("simulate a.runs with workers = 0", "“workers” takes a whole number from 1 to 1024", ""),
    ("simulate a.runs with worker = 8", "a simulation cannot set “worker”", "workers"),
    ("simulate a.runs with fetch = 8", "a simulation cannot set “fetch”", "fetch * 2"),
    ("simulate a.runs with seed = -1", "“seed” takes a whole number from 0", ""),
    ("simulate a.runs with fetch * -1", "a factor must be a number, at least 0", ""),
    ("simulate", "a run’s number, or a file of runs, is missing", ""),
    ("simulate a.runs; expect started fetsh", "the run before this has no step “fetsh”", ""),
  ]

  /// If there is any mistake, nothing runs.
  @Test(arguments: mistakes)
  func `a mistake is found before anything runs`(
    script: String, message: String, hint: String
  ) async throws {
    let home = try await Self.home("swift.taskgroup { page: 6 * work 10ms; slow: serial job }")
    try home.write("serial job", to: "a.play")
    let outcome = try await home.run(["--json", "eval", Self.load + "value 1; " + script])
    #expect(outcome.code == 2, "\(outcome)")
    #expect(try outcome.records("run").isEmpty)
    let said = try outcome.records("error").first?.string("message") ?? ""
    #expect(said.hasPrefix(message), "\(said)")
    #expect(hint.isEmpty || outcome.errors.contains(hint), "\(outcome)")
  }

  @Test func `a recording that cannot be repeated is an error`() async throws {
    let home = try PlaygroundHome()
    let live = try await home.run(
      ["--save", "a.runs", "eval", "load GCD; gcd.group { sleep 1ms }"])
    #expect(live.code == 0)
    let refused = try await home.eval("load GCD; simulate a.runs")
    #expect(refused.code == 2)
    #expect(refused.errors.contains("“gcd.group” runs on the live clock only"))
    let unknown = try await home.eval("simulate a.runs")
    #expect(unknown.code == 2)
    #expect(unknown.errors.contains("there is no pattern, step or name “gcd.group”"))
    // Older versions saved neither the script nor the number of workers.
    let path = home.workingFolder + "/a.runs"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let old = text.replacing(/"script":".*?[^\\]","workers":\d+,/, with: "")
    #expect(old != text)
    try old.write(toFile: path, atomically: true, encoding: .utf8)
    let without = try await home.eval("load GCD; simulate a.runs")
    #expect(without.code == 2)
    #expect(without.errors.contains("the file has no script of “gcd.group { sleep 1ms }”"))
    #expect(try await home.run(["trace", "show", "a.runs"]).code == 0)
  }
}
