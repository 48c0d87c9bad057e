import Foundation
import Testing

@testable import TraceAnalysis
@testable import TraceDrawing
@testable import TraceFormats
@testable import TraceModel

@Suite struct StepComparisonTests {
  /// A run of steps one after another. The numbers are their durations in milliseconds.
  static func run(
    _ steps: [(String, Int64)], group: String? = nil, name: String = "run"
  ) -> RunRecord {
    script(steps, group: group).record(name: name)
  }

  static func script(_ steps: [(String, Int64)], group: String? = nil) -> EventScript {
    var script = EventScript()
    script.submit("serial", "serial", at: 0)
    script.start("serial", at: 0)
    for (label, _) in steps { script.submit(label, in: "serial", group: group, at: 0) }
    var time: Int64 = 0
    for (label, duration) in steps {
      script.start(label, at: time)
      time += duration
      script.finish(label, at: time)
    }
    script.finish("serial", at: time)
    return script
  }

  static func live(_ steps: [(String, Int64)], _ count: Int, seed: UInt64 = 1) -> [RunRecord] {
    var generator = SplitMix(seed: seed)
    return (0..<count).map { _ in
      var record = run(steps.map { ($0.0, $0.1 + .random(in: 0...2, using: &generator)) })
      record.clock = .live
      return record
    }
  }

  @Test func `changed steps are reported`() throws {
    let comparison = Comparison(
      of: [
        .init("a", [Self.run([("x", 10), ("y", 5), ("z", 1)])]),
        .init("b", [Self.run([("x", 10), ("y", 9), ("z", 1)])]),
      ], clock: .virtual)
    // Steps that took longer come before steps that only started later because of them.
    #expect(comparison.steps.map(\.path) == ["y", "z"])
    #expect(comparison.steps[0].duration.baseline == 5e6)
    #expect(comparison.steps[0].duration.candidate == 9e6)
    #expect(comparison.steps.map(\.duration.verdict) == [.slower, .same])
    #expect(comparison.steps.map(\.started.verdict) == [.same, .slower])
    #expect(comparison.unmatched.isEmpty)
    let table = try #require(comparison.stepTable(of: "b"))
    #expect(
      table == """
        steps that changed most:
        step  start        duration   wait         verdict
        y     10ms         5ms → 9ms  10ms         slower
        z     15ms → 19ms  1ms        15ms → 19ms  waits longer, later

        """)
  }

  @Test func `steps are matched by label path`() {
    let comparison = Comparison(
      of: [
        .init("a", [Self.run([("fetch", 10), ("old", 5)], group: "job")]),
        .init("b", [Self.run([("fetch", 12), ("new", 5)])]),
      ], clock: .virtual)
    #expect(comparison.steps.map(\.path) == ["job/fetch"])
    #expect(comparison.steps.map(\.otherPath) == ["fetch"])
    #expect(comparison.unmatched.map(\.path) == ["job/old", "new"])
    #expect(comparison.unmatched.map(\.side) == ["a", "b"])
    #expect(comparison.unmatched.map(\.missingIn) == ["b", "a"])
    let table = comparison.stepTable(of: "b") ?? ""
    #expect(table.contains("only in a: job/old\nonly in b: new\n"), "\(table)")
  }

  @Test func `a step that could match several steps matches none`() {
    let first = ComparedSteps([Self.run([("fetch", 1)])])
    let second = ComparedSteps([
      Self.run([("fetch", 1)], group: "one"), Self.run([("fetch", 1)], group: "two"),
    ])
    let matching = StepMatching(first, second)
    #expect(matching.pairs.isEmpty)
    #expect(matching.onlyFirst.map(\.path) == ["fetch"])
    #expect(matching.onlySecond.map(\.path) == ["one/fetch", "two/fetch"])
  }

  @Test func `on the live clock a step has its own verdict`() throws {
    let comparison = Comparison(
      of: [
        .init("a", Self.live([("x", 100), ("y", 50)], 20)),
        .init("b", Self.live([("x", 100), ("y", 80)], 20, seed: 2)),
      ], clock: .live)
    let y = try #require(comparison.steps.first)
    #expect(y.path == "y")
    #expect(y.duration.verdict == .slower)
    #expect(y.started.verdict == .same)
    let x = try #require(comparison.steps.first { $0.path == "x" })
    #expect(x.duration.verdict == .same)
    // Steps without a difference are left out of the table.
    #expect(comparison.stepTable(of: "b")?.contains("\nx ") == false)
  }

  @Test func `the correction counts every measure of every step`() throws {
    let names = (1...40).map { "s\($0)" }
    func side(_ extra: Int64, _ seed: UInt64) -> Comparison.Side {
      .init(
        "side \(extra)", Self.live(names.map { ($0, $0 == "s1" ? 50 + extra : 50) }, 6, seed: seed))
    }
    let comparison = Comparison(of: [side(0, 1), side(50, 2)], clock: .live)
    let first = try #require(comparison.steps.first { $0.path == "s1" })
    // Uncorrected, p is 2 / C(12, 6). Multiplied by the number of measures of 40 steps, it is no longer below 0.05.
    #expect(first.duration.baseline != first.duration.candidate)
    #expect(try #require(first.duration.p) >= 0.05)
    #expect(first.duration.verdict == .inconclusive)
  }

  /// In each of two rows, a step takes at least ten times as long. Uncorrected, p is 2 / C(12, 6); corrected, it is six
  /// times that, since each row measures three things of the step. The makespans are corrected for the two rows.
  @Test func `the correction counts the steps of all rows`() {
    func side(_ name: String, _ duration: Int64) -> Comparison.Side {
      .init(
        name,
        (0..<6).map { (number: Int64) in
          var record = Self.run([("x", duration + number)])
          record.clock = .live
          return record
        })
    }
    let comparison = Comparison(
      of: [side("a", 10), side("b", 100), side("c", 1000)], clock: .live)
    let alone = 2.0 / 924
    #expect(comparison.steps.map(\.name) == ["b", "c"])
    for step in comparison.steps {
      #expect(abs((step.duration.p ?? 0) - 6 * alone) < 1e-12)
      #expect(step.started.p == 1 && step.wait.p == 1)
      #expect(step.duration.verdict == .slower)
    }
    #expect(comparison.rows.dropFirst().allSatisfy { abs(($0.p ?? 0) - 2 * alone) < 1e-12 })
  }

  @Test func `few runs give no verdict on a step`() {
    let comparison = Comparison(
      of: [.init("a", Self.live([("x", 10)], 5)), .init("b", Self.live([("x", 90)], 5, seed: 2))],
      clock: .live)
    #expect(comparison.steps.map(\.duration.verdict) == [.inconclusive])
    #expect(comparison.stepTable(of: "b")?.contains("inconclusive") == true)
  }

  @Test func `different workers and seeds give a warning`() {
    var second = Self.run([("x", 1)])
    second.seed = 7
    second.outcome = .failure
    let comparison = Comparison(
      of: [.init("a", [Self.run([("x", 1)])], workers: 4), .init("b", [second], workers: 8)],
      clock: .virtual)
    #expect(
      comparison.warnings == [
        "a ran on 4 workers and b on 8", "a ran with seed 0 and b with 7",
        "1 of 1 runs of b failed: “unknown error” (1)",
      ])
  }

  @Test(arguments: [(4, " and 1 more error"), (5, " and 2 more errors"), (3, "")])
  func `a warning names the first errors`(errors: Int, rest: String) {
    let failed = (1...errors).map { number in
      var run = Self.run([("x", 1)])
      run.outcome = .failure
      run.error = "e\(number)"
      return run
    }
    let comparison = Comparison(
      of: [.init("a", [Self.run([("x", 1)])]), .init("b", failed)], clock: .virtual)
    #expect(comparison.rows.map(\.failedRuns) == [0, errors])
    #expect(
      comparison.warnings == [
        "\(errors) of \(errors) runs of b failed: “e1” (1), “e2” (1), “e3” (1)\(rest)"
      ])
  }

  @Test func `machines describe their differences`() {
    let one = Machine(cores: 2, os: "Linux", compiler: "6.3", buildConfiguration: "debug")
    let other = Machine(cores: 8, os: "Linux", compiler: "6.3", buildConfiguration: "release")
    #expect(one.differences(from: one).isEmpty)
    #expect(
      other.differences(from: one) == ["8 cores against 2", "a release build against a debug one"])
  }

  @Test func `the record contains everything that is shown`() throws {
    let comparison = Comparison(
      of: [
        .init("a", [Self.run([("x", 10), ("old", 5)])], workers: 4),
        .init("b", [Self.run([("x", 12), ("new", 5)])], workers: 2),
      ], clock: .virtual)
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(comparison.json.utf8)) as? [String: Any])
    #expect((json["warnings"] as? [String])?.count == 1)
    let step = try #require((json["steps"] as? [[String: Any]])?.first)
    #expect(step["path"] as? String == "x")
    #expect((step["duration"] as? [String: Any])?["median_ns"] as? Int == 12_000_000)
    let alone = json["unmatched"] as? [[String: Any]]
    #expect(alone?.map { $0["path"] as? String } == ["old", "new"])
    #expect(alone?.map { $0["in"] as? String } == ["a", "b"])
    let divergence = try #require((json["divergence"] as? [[String: Any]])?.first)
    #expect(divergence["name"] as? String == "b")
    #expect((divergence["sides"] as? [[String: Any]])?.isEmpty == false)
    #expect((json["costs"] as? [[String: Any]])?.count == 2)
  }

  @Test(arguments: [8, 20, 40, 80], [Timeline.Style.unicode, .ascii])
  func `tables, differences and plots fit the window`(width: Int, style: Timeline.Style) throws {
    let long = "a-label-that-goes-on-and-on"
    let comparison = Comparison(
      of: [
        .init("some/long/file.runs", [Self.run([(long, 10), ("old", 5)])]),
        .init("other/long/file.runs", [Self.run([(long, 12), ("new", 5)])]),
      ], clock: .virtual)
    let live = Comparison(
      of: [.init(long, Self.live([("x", 9)], 9)), .init("b", Self.live([("x", 12)], 9))],
      clock: .live)
    let texts = [
      comparison.stepTable(of: "other/long/file.runs", width: width, style: style),
      comparison.divergences[0].divergence.text(("one", long), width: width, style: style),
      live.boxPlot(width: width, style: style) ?? "",
    ]
    for line in texts.compactMap({ $0 }).joined().split(separator: "\n") {
      #expect(TerminalText.width(String(line)) <= width, "\(line)")
      if style == .ascii { #expect(line.utf8.allSatisfy { $0 < 0x80 }, "\(line)") }
    }
  }
}
