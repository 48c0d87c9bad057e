import Testing

/// Timeouts of patterns that are not part of the playground.
@Suite struct TimeoutsOfPatternsTests {
  private static let compositions = [
    "serial(timeout: 10ms, on-failure: continue) { a: deaf {}; b: sleep 80ms }",
    "serial(timeout: 10ms, on-failure: continue) { a: marking { work 60ms with on: main }; sleep 80ms }",
    "together { a: work 60ms with on: main; sleep 5ms; sleep 80ms }",
    "together { a: work 60ms with on: main; sleep 50ms; sleep 80ms }",
    "hopping { a: work 60ms with on: main; sleep 80ms }",
    "patient { a: work 60ms with on: main; b: sleep 80ms }",
  ]

  @Test func `a step that keeps running is reported`() async throws {
    let home = try PlaygroundHome()
    try home.write(PluginSources.timingOut, to: "TimingOut.swift")
    let script = Self.compositions.map { "\($0); trace why a" } + ["trace why b"]
    let outcome = try await home.run([
      "--json", "--clock", "virtual", "--workers", "2", "eval",
      "load SerialQueue ./TimingOut.swift\n" + script.joined(separator: "\n"),
    ])
    let accounts = try outcome.records("why")
    try #require(accounts.count == Self.compositions.count + 1, "\(outcome.errors)")
    for (composition, account) in zip(Self.compositions, accounts) {
      #expect(account.integer("timed_out_ns") == 10_000_000, "\(composition)")
      #expect(account.integer("finished_ns") == 60_000_000, "\(composition)")
    }
    let lints = try outcome.records("run").map { $0.objects("lints").map { $0.string("rule") } }
    #expect(lints == Self.compositions.map { _ in ["late-cancel"] })
    // A timeout cancelled step a, and the pattern waited for the end of that step.
    let waits = try #require(accounts.last).objects("waits")
    #expect(waits.map { $0.integer("until_ns") } == [60_000_000])
    #expect(waits.first?["timed_out"] as? Bool == false)
  }

  @Test func `a step that keeps running is reported on the live clock too`() async throws {
    let home = try PlaygroundHome()
    // The step must start before its timer fires, even if the machine is busy.
    let slower = PluginSources.timingOut.replacing(".milliseconds(10)", with: ".milliseconds(100)")
    try home.write(slower, to: "TimingOut.swift")
    let outcome = try await home.run([
      "--json", "--workers", "2", "eval",
      """
      load ./TimingOut.swift
      hopping { a: work 500ms with on: main; sleep 900ms }; trace why a
      """,
    ])
    let account = try #require(try outcome.records("why").first, "\(outcome.errors)")
    let timedOut = try #require(account.integer("timed_out_ns"))
    #expect(timedOut < (try #require(account.integer("finished_ns"))))
    #expect(account["ended_by_timer"] as? Bool == false)
  }
}
