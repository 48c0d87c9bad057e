import Testing

/// The text that `explore` prints for users.
@Suite struct ExploreOutputTests {
  @Test func `the violation is shown event by event`() async throws {
    let outcome = try await ExploreTests.explore(
      ExploreTests.race + "\nshow", "--no-color", "--set", "width=80")
    let shown = outcome.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(shown[0].hasPrefix("  all 4 schedules, in "), "\(outcome)")
    #expect(
      shown[1..<15].joined(separator: "\n") == """
          “order a, b” does not hold: it was b, a

          0ns  pool-1  at-once  starts
          0ns  pool-1  at-once  a starts
          0ns  pool-1  at-once  b starts
           — a passing schedule is the same up to here, then continues with a —
        * 1ms  pool-1  b        finishes                    (or a)
          1ms  pool-1  a        finishes, at-once finishes
          * not the first in line

          “show 1” draws this run; this runs it again:
        replay "4 workers, 1:1: at-once { a: sleep 1ms; b: sleep 1ms }"
        at-once { a: sleep 1ms; b: sleep 1ms } · success · makespan 1ms · work 0ns
        blocked 0ns · concurrency 2 · threads 1
        """)
  }

  @Test func `an injection is shown where it happens`() async throws {
    let outcome = try await ExploreTests.explore(
      "explore forgetful { a: sleep 1ms; b: sleep 1ms } inject cancel")
    #expect(
      outcome.output.contains(
        """
          1ms  pool-1  a                     finishes
           — a passing schedule is the same up to here, then injects nothing —
          1ms  main    the run is cancelled
        """), "\(outcome)")
  }

  @Test func `a long one is shown in part`() async throws {
    let outcome = try await ExploreTests.explore(
      "explore serial { 10000 * sleep 1ms } runs 2 checking { expect makespan < 9s }")
    let shown = outcome.output.split(separator: "\n")
    #expect(shown.count < 25, "\(outcome)")
    #expect(shown.contains("   … 9988 more …"))
    #expect(shown.contains { $0.hasSuffix("sleep-2      finishes, sleep-3 starts") }, "\(outcome)")
    #expect(shown.contains { $0.hasSuffix("sleep-10000  finishes, serial finishes") })
    #expect(outcome.output.contains("No passing schedule was found that starts in the same way."))
  }

  @Test(arguments: [40, 60, 100])
  func `the output fits the window`(width: Int) async throws {
    let outcome = try await ExploreTests.explore(
      """
      explore at-once { this-is-a-step: sleep 1ms; "and another that is long": sleep 1ms
        one: serial { two: sleep 1ms } } checking { expect finished one < 1ms }
      """, "--set", "width=\(width)")
    let lines = outcome.output.split(separator: "\n")
    for line in lines where !line.hasPrefix("replay ") {
      #expect(line.count <= width, "\(line)")
    }
    #expect(lines.count > 10 && outcome.code == 1)
  }

  @Test func `control characters of a terminal are not shown`() async throws {
    let outcome = try await ExploreTests.explore(
      #"explore at-once { "\u{1b}[31mred\u{7}": sleep 1ms } checking { expect makespan < 1ms }"#)
    let isPrintable = outcome.output.unicodeScalars.allSatisfy { $0.value >= 0x20 || $0 == "\n" }
    #expect(isPrintable, "\(outcome)")
    #expect(outcome.output.contains(#"at-once { \"\\u{1b}[31mred\\u{7}\": sleep 1ms }"#))
  }

  @Test func `a violation that does not occur again is reported as an escape`() async throws {
    let outcome = try await ExploreTests.explore(
      "explore once checking { expect outcome == success }", "--json")
    #expect(try outcome.records("explore").first?.integer("violations") == 1)
    #expect(try outcome.records("explore").first?.bool("reproducible") == false)
    #expect(
      outcome.errors.contains("The violation did not occur again under its own schedule"),
      "\(outcome)")
    #expect(outcome.errors.contains("clock-escape"))
  }

  @Test func `the explored steps print nothing`() async throws {
    let outcome = try await ExploreTests.explore("explore serial { print \"a line\" } runs 3")
    #expect(!outcome.output.contains("a line"), "\(outcome)")
    #expect(outcome.code == 0)
  }

  /// A schedule with a violation is kept as a run that can be shown. Expectations still apply to the run before it.
  @Test func `a schedule with a violation is kept as a run`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await ExploreTests.explore(
      """
      serial { x: value 5 }
      explore serial { y: value 6 } runs 2
      \(ExploreTests.race)
      expect violations > 0
      expect value == 5
      expect started x
      runs
      show
      trace save shown.runs
      """, "--no-color", "--clock", "virtual", home: home)
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("2    success  1ms       at-once { a:"), "\(outcome)")
    #expect(outcome.output.contains("at-once { a: sleep 1ms; b: sleep 1ms } · success"))
    #expect(outcome.output.contains("saved 2 runs to shown.runs"))
    let shown = try await home.run(["trace", "show", "shown.runs", "--json"])
    let steps = try shown.records("run").last?.objects("steps").map { $0.string("label") }
    #expect(steps == ["a", "b"])
  }

  @Test(arguments: ["explore", "replay"])
  func `the examples in the help run`(command: String) async throws {
    let home = try PlaygroundHome()
    let help = try await home.eval("help \(command)")
    let examples = ManualExampleTests.examples(in: help.output)
    #expect(!examples.isEmpty, "\(help)")
    for example in examples {
      let outcome = try await home.run(["run", "-"], input: "load\n" + example)
      #expect([0, 3].contains(outcome.code), "\(example)\n\(outcome)")
      #expect(outcome.output.contains(command == "explore" ? " schedule" : "makespan"))
    }
  }
}
