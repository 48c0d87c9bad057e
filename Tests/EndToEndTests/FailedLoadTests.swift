import Testing

/// If a plugin could not be loaded, its patterns are not reported as missing as well.
@Suite struct FailedLoadTests {
  @Test func `only the load that failed is reported`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.run(
      ["--json", "eval", "load SerialQeue\nserial { a: value 1 }\nexpect finished a"])
    #expect(outcome.code == 2)
    let errors = try outcome.records("error")
    #expect(errors.count == 1)
    #expect(errors.first?.integer("line") == 1)
  }
}
