import Testing

/// The paths in a script do not depend on the folder in which the program was started.
@Suite struct ScriptPathTests {
  @Test func `files beside a script are found from elsewhere`() async throws {
    let home = try PlaygroundHome()
    try home.write(PluginSources.races, to: "kit/Patterns/Races.swift")
    try home.write("load ./Patterns; source names.play", to: "kit/main.play")
    try home.write("job = [ a: value 1; b: value 2 ]; at-once job", to: "kit/names.play")
    try home.write("source ../kit/main.play", to: "other/all.play")
    for script in ["kit/main.play", "other/all.play"] {
      let outcome = try await home.run(["--clock", "virtual", "run", script])
      #expect(outcome.code == 0, "\(outcome)")
      #expect(outcome.output.contains("at-once job · success"), "\(outcome)")
    }
  }

  @Test func `the working folder comes first`() async throws {
    let home = try PlaygroundHome()
    try home.write("print \"of the working folder\"", to: "part.play")
    try home.write("print \"beside\"", to: "kit/part.play")
    try home.write("source part.play", to: "kit/main.play")
    let outcome = try await home.run(["run", "kit/main.play"])
    #expect(outcome.output.hasPrefix("of the working folder\n"), "\(outcome)")
  }

  @Test(arguments: ["load", "source"])
  func `help describes how paths are resolved`(command: String) async throws {
    let outcome = try await PlaygroundHome().eval("help \(command)")
    #expect(outcome.output.contains("folder of the script"), "\(outcome)")
  }

  @Test func `a missing file is named as it was written`() async throws {
    let home = try PlaygroundHome()
    try home.write("load ./None.swift", to: "kit/main.play")
    let outcome = try await home.run(["run", "kit/main.play"])
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("There is no “./None.swift”"), "\(outcome)")
  }

  @Test func `an error of a command names the file, the line and the column`() async throws {
    let home = try PlaygroundHome()
    try home.write("value 1\n  show 7\n", to: "kit/main.play")
    let outcome = try await home.run(["--json", "run", "kit/main.play"])
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("kit/main.play:2:3: error: there is no run 7\n"), "\(outcome)")
    #expect(outcome.errors.contains("“runs” lists them: 1 to 1"), "\(outcome)")
    let record = try #require(try outcome.records("error").first)
    #expect(record.string("file") == "kit/main.play")
    #expect(record.integer("line") == 2 && record.integer("column") == 3)
  }
}
