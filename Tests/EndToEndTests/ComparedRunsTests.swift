import Testing

/// What a comparison shows in addition to the makespans.
@Suite struct ComparedRunsTests {
  private static func compare(_ script: String) async throws -> String {
    let outcome = try await PlaygroundHome().eval(
      "load SerialQueue; \(script)", "--clock", "virtual")
    #expect(outcome.code == 0, "\(outcome)")
    return outcome.output
  }

  @Test func `costs distinguish equal makespans`() async throws {
    let told = try await Self.compare(
      "compare [ a: sleep 10ms; b: sleep 5ms ] under serial, serial.semaphore")
    #expect(told.contains(" same\n"))
    let table = try #require(told.range(of: "in the run nearest to each median:\n"))
    let lines = told[table.upperBound...].split(separator: "\n").map(String.init)
    #expect(lines.first?.split(separator: " ") == ["blocked", "findings"])
    #expect(lines.dropFirst().first?.hasSuffix("0ns      none") == true, "\(told)")
    #expect(lines.dropFirst(2).first?.hasSuffix("15ms     blocked-thread") == true, "\(told)")
  }

  @Test func `the time for which main is held is shown`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "load OperationGraph RunLoopTransaction; compare [ a: work 10ms ] under group, transaction",
      "--clock", "virtual")
    #expect(outcome.output.contains("main held"), "\(outcome)")
    #expect(outcome.output.contains("\ntransaction  10ms\n"), "\(outcome)")
  }

  @Test func `each of several rows shows its first difference, side by side`() async throws {
    let told = try await Self.compare(
      """
      load OperationGraph
      compare [ a: sleep 10ms; b: sleep 5ms ] under serial, serial.semaphore, group, serial.chain
      """)
    let lines = told.split(separator: "\n").filter { $0.contains(": first difference: at ") }
    #expect(
      lines.map { $0.prefix { $0 != ":" } } == ["serial.semaphore", "group"], "\(told)")
    #expect(lines.allSatisfy { $0.contains("at 0ns, “") }, "\(told)")
    for name in ["serial.semaphore", "group"] {
      #expect(told.contains(try Regex("serial +│ \(name)\n")), "\(told)")
    }
  }

  @Test func `runs that fail are compared, with their errors`() async throws {
    let outcome = try await PlaygroundHome().eval(
      """
      load Promises
      compare [ a: sleep 10ms; b: fail "no" ] under promise, settled
      expect ratio settled == 1
      runs
      """, "--clock", "virtual")
    #expect(outcome.code == 3, "a run failed: \(outcome)")
    #expect(outcome.output.contains(try Regex("promise +1 +1 +10ms .*baseline")), "\(outcome)")
    #expect(outcome.output.contains(try Regex("settled +1 +0 +10ms .*same")), "\(outcome)")
    #expect(
      outcome.errors.contains("warning: 1 of 1 runs of promise failed: “no” (1)"), "\(outcome)")
    #expect(outcome.output.contains("2 runs of comparisons are not listed"), "\(outcome)")
  }

  @Test func `the runs of a comparison are listed on demand`() async throws {
    let script =
      "load SerialQueue; set clock virtual; %; value 1; compare [ a: sleep 1ms ] under serial, serial.chain; runs; show 2"
    let home = try PlaygroundHome()
    let unlisted = try await home.eval(script.replacing("%", with: "set list-compared off"))
    #expect(unlisted.output.contains("2 runs of comparisons are not listed"), "\(unlisted)")
    #expect(unlisted.code == 2 && unlisted.errors.contains("there is no run 2"), "\(unlisted)")
    let listed = try await home.eval(script.replacing("%", with: "set list-compared on"))
    #expect(listed.code == 0)
    #expect(listed.output.contains(try Regex("\n *3 +success")), "\(listed)")
  }

  @Test func `a run without a number is not run 0`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "load SerialQueue; set clock virtual; value 1; compare [ a: sleep 1ms ] under serial, serial.chain; "
        + "trace show --run 0")
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains("there is no run “0” in the session"), "\(outcome)")
    #expect(outcome.errors.contains("there are 1: value 1"), "\(outcome)")
  }

  @Test func `costs that do not differ are left out`() async throws {
    let told = try await Self.compare("compare [ a: sleep 10ms ] under serial, serial.chain")
    #expect(!told.contains("in the run nearest to each median"), "\(told)")
  }
}
