import Testing

/// The error about a pattern whose plugin is not loaded.
@Suite struct UnloadedPatternTests {
  @Test(arguments: [
    ("help render", "AsyncRender"), ("help transaction", "RunLoopTransaction"),
    ("render", "AsyncRender"), ("explore transaction.yy { value 1 }", "RunLoopTransaction"),
    ("load SerialQueue; render.sync", "AsyncRender"),
  ])
  func `the plugin that has it is named`(script: String, plugin: String) async throws {
    let outcome = try await PlaygroundHome().eval(script)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("\n  “load \(plugin)” loads it\n"), "\(outcome)")
  }

  @Test func `a pattern that no plugin has is not promised`() async throws {
    let outcome = try await PlaygroundHome().eval("help conjure")
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains("“help” alone shows an overview"), "\(outcome)")
  }

  /// The list of patterns that is known without loading a plugin matches the plugin.
  @Test func `every pattern of the bundled plugins is known before loading`() async throws {
    let home = try PlaygroundHome()
    let listed = try await home.eval("load; plugins")
    let plugins = listed.output.split(separator: "\n").filter { $0.contains("  loaded  ") }
      .compactMap { $0.split(separator: " ").first.map(String.init) }
    #expect(plugins.contains("AsyncRender") && plugins.contains("GCD"), "\(listed)")

    let help = try await home.eval("load\n" + plugins.map { "help \($0)\n" }.joined())
    var owners: [(pattern: String, plugin: String)] = []
    var plugin = ""
    for line in help.output.split(separator: "\n") {
      if line.hasPrefix("  "), let pattern = line.split(separator: " ").first {
        owners.append((String(pattern), plugin))
      } else if let colon = line.firstIndex(of: ":") {
        plugin = String(line[..<colon])
      }
    }
    #expect(owners.count >= plugins.count, "\(help)")

    let unknown = try await home.eval(owners.map { "\($0.pattern) { value 1 }\n" }.joined())
    let findings = unknown.errors.split(separator: "error: ").dropFirst()
    #expect(findings.count == owners.count)
    for (finding, owner) in zip(findings, owners) {
      #expect(finding.contains("name “\(owner.pattern)”\n"))
      #expect(finding.contains("“load \(owner.plugin)” loads it"), "\(finding)")
    }
  }
}
