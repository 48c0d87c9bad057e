import Foundation
import Testing
import TimingTrace

/// Every rule finds the fault in its own script, and reports nothing for code that only looks faulty.
@Suite struct LintSeedTests {
  /// A rule, and a script for the virtual clock that contains the fault.
  struct Seed: CustomTestStringConvertible, Sendable {
    let rule: String
    let script: String
    /// Whether the fault only shows in some schedules, so that it must be explored.
    var isExplored = false
    var testDescription: String { rule }
  }

  /// The most important step depends on the least important one.
  static let important = """
    { log: sleep 5ms with priority: low; tidy: sleep 20ms; draw: sleep 1ms after log with priority: high }
    """

  static let seeds = [
    Seed(rule: "blocked-thread", script: "serial.semaphore { a: sleep 20ms; b: sleep 5ms }"),
    Seed(rule: "thread-explosion", script: "set workers 20; group { 20 * block 10ms }"),
    Seed(rule: "starvation", script: "group { s: 8 * serial.semaphore { sleep 10ms } }"),
    Seed(rule: "priority-inversion", script: "load ./Priorities.swift; own-priority \(important)"),
    Seed(rule: "completed-twice", script: "serial { a: twice 1ms; b: sleep 5ms }"),
    Seed(
      rule: "completion-dropped",
      script:
        "load \"\(BugTests.folder)/LostCompletion.swift\"\nearly-return { fetch: fail \"no\"; parse: value 1 }"
    ),
    Seed(rule: "never-completed", script: "serial { a: never; b: sleep 5ms }"),
    Seed(rule: "early-notification", script: "group.naive { a: sleep 20ms; b: sleep 30ms }"),
    Seed(rule: "unbalanced-leave", script: "load ./Leaving.swift; leaves-twice { value 1 }"),
    Seed(
      rule: "overlap", script: "serial.semaphore { a: twice 10ms; b: sleep 30ms; c: sleep 30ms }"),
    Seed(
      rule: "unhandled-failure",
      script:
        "load \"\(BugTests.folder)/UnhandledFailure.swift\"\nfire-and-forget { fetch: fail \"no\"; parse: value 1 }"
    ),
    Seed(rule: "late-cancel", script: "race { a: sleep 5ms; b: work 50ms with on: main }"),
    Seed(rule: "lost-wakeup", script: "transaction.yy(tick: 300ms) { a: value 1 }"),
    Seed(
      rule: "lost-commit",
      script: "transaction.yy(from: pool, tick: 1ms) { a: value 1; b: value 2 }", isExplored: true),
    Seed(
      rule: "commit-cycle",
      script: "transaction(cycle-limit: 5) { layout: value 1 with again: true }"),
    Seed(
      rule: "wasted-drawing",
      script: "render(text: \"faster than a line\", line-cost: 8ms) { frame: 6 * sleep 5ms }"),
    Seed(
      rule: "missing-did-display", script: "render.yy { a: value 1; b: value 2 }", isExplored: true),
    Seed(
      rule: "stale-contents",
      script: "render.yy(from: pool, line-cost: 5ms) { a: value 1; b: sleep 5ms; c: value 2 } "
        + "checking { expect lints != stale-contents; expect outcome != failure }", isExplored: true
    ),
    Seed(rule: "failed-display", script: "load ./FailingDisplay.swift; too-large { value 1 }"),
    Seed(rule: "clock-escape", script: "load ./Wild.swift; hopping"),
  ]

  private static func rules(_ script: String, in home: PlaygroundHome) async throws -> [String] {
    let outcome = try await home.records(script)
    let run = try #require(try outcome.records("run").last, "\(outcome)")
    let lints = run.objects("lints")
    for lint in lints {
      let name = lint.string("rule") ?? ""
      #expect(lint.string("page") == LintRule.named(name)?.page, "\(lint)")
    }
    return lints.compactMap { $0.string("rule") }
  }

  @Test(arguments: seeds)
  func `the fault is found`(_ seed: Seed) async throws {
    let home = try PlaygroundHome()
    try home.write(PluginSources.wild, to: "Wild.swift")
    try home.write(PluginSources.leaving, to: "Leaving.swift")
    try home.write(PluginSources.priorities, to: "Priorities.swift")
    try home.write(PluginSources.failingDisplay, to: "FailingDisplay.swift")
    var script = "load\n" + seed.script
    if seed.isExplored {
      let explored = try await home.records("load\nexplore \(seed.script)")
      let replay = try #require(
        try explored.records("explore").first?.string("replay"), "\(explored)")
      script = "load\nreplay \"\(replay)\""
    }
    #expect(try await Self.rules(script, in: home).contains(seed.rule))
  }

  @Test func `there is a fault for every rule, and help and a page for each`() async throws {
    // `TaskLintTests` has the faults of the rules about tasks.
    let rules = Self.seeds.map(\.rule) + TaskLint.allCases.map(\.rawValue)
    #expect(Set(rules) == Set(LintRule.all.map(\.name)))
    let page = try String(
      contentsOfFile: BugTests.root + "/Modules/Trace/TimingTrace/TimingTrace.docc/Lints.md",
      encoding: .utf8
    ).words
    let home = try PlaygroundHome()
    let helps = LintRule.all.map { "help \($0.name)" }.joined(separator: "; ")
    let help = try await home.eval("help lints; " + helps).output.words
    for rule in LintRule.all {
      #expect(page.contains("## \(rule.name) \(rule.explanation)"), "\(rule.name)")
      #expect(
        page.lowercased().contains("the fix: \(rule.fix.lowercased())"), "\(rule.name)")
      #expect(help.contains("\(rule.name) \(rule.explanation) \(rule.fix) \(rule.page)"))
      #expect(rule.explanation.components(separatedBy: ". ").count == 2, "\(rule.name)")
    }
  }

  /// Scripts that are close to a fault, but correct.
  @Test(arguments: [
    "group { 4 * block 10ms }", "race { a: sleep 5ms; b: sleep 50ms }",
    "timeout(5ms) { sleep 50ms }", "race { a: sleep 5ms; b: work 50ms }",
    // The step ends less than a millisecond after it was cancelled.
    "race { a: sleep 5ms; b: work 5500us with on: main }",
    // A graph raises the priority of steps that an important step depends on. In the last two scripts, no other step
    // delays such a step.
    "graph(width: 1) \(important)", "graph \(important)",
    "load ./Priorities.swift; own-priority { log: sleep 5ms with priority: low; draw: sleep 1ms after log with priority: high }",
    "load ./Priorities.swift; own-priority { log: sleep 5ms with priority: high; tidy: sleep 20ms; draw: sleep 1ms after log with priority: high }",
  ])
  func `scripts that are only close to a fault have no finding`(_ script: String) async throws {
    let home = try PlaygroundHome()
    try home.write(PluginSources.priorities, to: "Priorities.swift")
    let rules = try await Self.rules("load\n" + script, in: home)
    #expect(
      Set(rules).isSubset(of: ["blocked-thread"]) && (rules.isEmpty || script.contains("block")))
  }
}

/// The rules that only recorded programs can break.
enum TaskLint: String, CaseIterable {
  case heldThread = "held-thread"
  case heldMainActor = "held-main-actor"
  case actorContention = "actor-contention"
  case neverResumed = "never-resumed"
  case outlivingTask = "outliving-task"
  case taskFlood = "task-flood"
  case growingBuffer = "growing-buffer"
}

extension String {
  /// The text with one space for each sequence of whitespace.
  fileprivate var words: String { split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
