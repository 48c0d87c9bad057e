import Testing

/// The parameters in `help`, in a window of 100 columns.
@Suite struct HelpWidthTests {
  @Test(arguments: ["all", "animate", "graph", "keyframes", "render"])
  func `no line about a parameter is wider than the window`(name: String) async throws {
    let help = try await PlaygroundHome().run(
      ["--set", "width=100", "eval", "load; help \(name)"])
    #expect(help.code == 0)
    let parameters = help.output.split(separator: "\n")
      .drop { $0 != "Arguments:" }.prefix { $0 != "Examples:" }
    #expect(parameters.count > 2, "\(help)")
    #expect(parameters.filter { $0.count > 100 } == [], "\(help)")
  }
}
