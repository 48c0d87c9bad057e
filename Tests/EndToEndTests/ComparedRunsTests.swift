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

  @Test func `each of several rows shows its first difference`() async throws {
    let told = try await Self.compare(
      """
      load OperationGraph
      compare [ a: sleep 10ms; b: sleep 5ms ] under serial, serial.semaphore, group, serial.chain
      """)
    let lines = told.split(separator: "\n").filter { $0.contains(": first difference at ") }
    #expect(
      lines.map { $0.prefix { $0 != ":" } } == ["serial.semaphore", "group"], "\(told)")
    #expect(lines.allSatisfy { $0.contains("at 0ns, “") }, "\(told)")
    #expect(told.contains("to see the two side by side"), "\(told)")
  }

  @Test func `costs that do not differ are left out`() async throws {
    let told = try await Self.compare("compare [ a: sleep 10ms ] under serial, serial.chain")
    #expect(!told.contains("in the run nearest to each median"), "\(told)")
  }
}
