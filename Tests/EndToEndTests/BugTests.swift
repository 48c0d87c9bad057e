import Foundation
import Testing

/// The classic bugs of `Scripts/Bugs`. Each is found, reported and replayed, and is absent from the fixed version
/// beside it.
@Suite struct BugTests {
  /// An exploration that finds a bug, and the same exploration of the fixed version.
  struct Bug: CustomTestStringConvertible, Sendable {
    var files: [String] = []
    /// The composition to explore, with the name of the pattern left out.
    let composition: @Sendable (_ pattern: String) -> String
    let pattern: String
    let fixed: String
    var clauses = ""
    /// The violated property in the record, and what happened instead.
    let property: String
    let detail: String
    /// The outcome of the replay.
    let outcome: String
    let lint: String?

    var testDescription: String { pattern }

    func script(_ pattern: String) -> String {
      let load = (["SerialQueue", "OperationGraph"] + files.map { "\"\(BugTests.folder)/\($0)\"" })
        .joined(separator: " ")
      return "load \(load)\nexplore \(composition(pattern)) \(clauses)"
    }
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  static let folder = root + "/Scripts/Bugs"

  static let bugs = [
    Bug(
      files: ["LostCompletion.swift"],
      composition: { "\($0) { fetch: sleep 20ms; parse: work 5ms }" },
      pattern: "early-return", fixed: "early-return.fixed", clauses: "inject failure",
      property: "no completion-dropped", detail: "“early-return” released its completion",
      outcome: "failure", lint: "completion-dropped"),
    Bug(
      files: ["LostCompletion.swift"],
      composition: { "\($0) { request: value 1; use: work 5ms }" },
      pattern: "late-handler", fixed: "late-handler.fixed",
      property: "finishes", detail: "does not start “use”", outcome: "unfinished",
      lint: "never-completed"),
    Bug(
      files: ["UnguardedTimeout.swift"], composition: { "\($0)(10ms) { answer: sleep 10ms }" },
      pattern: "unguarded-timeout", fixed: "unguarded-timeout.fixed",
      clauses: "checking { expect lints == none }", property: "lints == none",
      detail: "completed-twice", outcome: "failure", lint: "completed-twice"),
    Bug(
      files: ["UnguardedTimeout.swift"], composition: { "\($0)(20ms) { answer: sleep 10ms }" },
      pattern: "unguarded-timeout", fixed: "unguarded-timeout.fixed", clauses: "inject lateness",
      property: "no completed-twice", detail: "“unguarded-timeout” called its completion again",
      outcome: "failure", lint: "completed-twice"),
    Bug(
      files: ["MissingLeave.swift"], composition: { "\($0) { a: sleep 20ms; b: work 5ms }" },
      pattern: "missing-leave", fixed: "missing-leave.fixed", clauses: "inject failure",
      property: "finishes", detail: "has not completed, although all of its steps have",
      outcome: "unfinished",
      lint: "never-completed"),
    Bug(
      composition: { "\($0) { a: twice 10ms; b: sleep 10ms; c: sleep 20ms; d: sleep 5ms }" },
      pattern: "serial.semaphore", fixed: "serial", clauses: "checking { expect concurrency == 1 }",
      property: "concurrency == 1", detail: "it was 2", outcome: "success", lint: "completed-twice"),
    Bug(
      files: ["MissingDidDisplay.swift"],
      composition: { "\($0) { draft: work 5ms; final: work 5ms }" },
      pattern: "yy-layer", fixed: "yy-layer.fixed", clauses: "checking { expect lints == none }",
      property: "lints == none", detail: "missing-did-display", outcome: "success",
      lint: "missing-did-display"),
    Bug(
      files: ["CheckThenAct.swift"],
      composition: { "\($0) { fadeIn: sleep 30ms; pause: sleep 10ms; fadeOut: sleep 30ms }" },
      pattern: "check-then-act", fixed: "check-then-act.fixed",
      clauses: "checking { expect count fadeIn == 1; expect concurrency == 1 }",
      property: "count fadeIn == 1", detail: "it was 2", outcome: "success",
      lint: "completed-twice"),
    Bug(
      files: ["OppositeLocks.swift"], composition: { "\($0) { save: value 1; spend: value 2 }" },
      pattern: "opposite-locks", fixed: "opposite-locks.fixed", property: "finishes",
      detail: "has waited for semaphore", outcome: "unfinished", lint: "blocked-thread"),
    Bug(
      files: ["LostWakeup.swift"],
      composition: {
        "group { label: serial { sleep 1ms; \($0) { text: value 1; font: value 2 } }; "
          + "touch: serial { sleep 1ms; tap: value 3 with on: main } }"
      },
      pattern: "lost-wakeup", fixed: "lost-wakeup.fixed", property: "finishes",
      detail: "does not start “label/lost-wakeup/font”", outcome: "unfinished",
      lint: "never-completed"),
    Bug(
      files: ["UnhandledFailure.swift"],
      composition: { "\($0) { fetch: sleep 20ms; parse: work 5ms }" },
      pattern: "fire-and-forget", fixed: "fire-and-forget.fixed", clauses: "inject failure",
      property: "no unhandled-failure", detail: "was not handled", outcome: "success",
      lint: "unhandled-failure"),
    Bug(
      files: ["UnhandledFailure.swift"],
      composition: { "\($0) { fetch: sleep 20ms; parse: work 5ms }" },
      pattern: "lost-resolver", fixed: "lost-resolver.fixed", clauses: "inject failure",
      property: "no completion-dropped", detail: "was released unresolved", outcome: "failure",
      lint: "completion-dropped"),
  ]

  @Test(arguments: bugs)
  func `the bug is found, and its replay shows it again`(_ bug: Bug) async throws {
    let home = try PlaygroundHome()
    let told = try await home.eval(bug.script(bug.pattern))
    #expect(told.code == 1, "\(told)")
    let line = try #require(
      told.output.split(separator: "\n").first { $0.hasPrefix("replay \"") }, "\(told)")

    let found = try await home.records(bug.script(bug.pattern))
    let record = try #require(try found.records("explore").first, "\(found)")
    #expect(found.code == 1)
    #expect(record.string("property") == bug.property, "\(found)")
    #expect(record.string("detail")?.contains(bug.detail) == true, "\(found)")
    #expect(record.bool("reproducible") == true)
    #expect(try #require(record.integer("violations")) > 0)
    let text = try #require(record.string("replay"))
    #expect(line == "replay \"\(text)\"")

    let load = try #require(bug.script(bug.pattern).split(separator: "\n").first)
    let again = try await home.records("\(load)\n\(line)")
    let run = try #require(try again.records("run").first, "\(again)")
    #expect(run.string("outcome") == bug.outcome, "\(again)")
    if let lint = bug.lint {
      #expect(run.objects("lints").contains { $0.string("rule") == lint }, "\(again)")
    }
  }

  @Test(arguments: bugs)
  func `the fix has no violation`(_ bug: Bug) async throws {
    let outcome = try await PlaygroundHome().records(bug.script(bug.fixed))
    let record = try #require(try outcome.records("explore").first, "\(outcome)")
    // All requested schedules, or all that exist.
    #expect(record.integer("schedules") == 1_000 || record.string("ending") == "exhausted")
    #expect(record.integer("violations") == 0, "\(outcome)")
    #expect(record.isNull("property"))
    #expect(outcome.code == 0)
  }

  /// The example in each manual runs unchanged.
  @Test(arguments: bugs.filter { !$0.files.isEmpty })
  func `the examples in the manual run without findings`(_ bug: Bug) async throws {
    let home = try PlaygroundHome()
    let load = try #require(bug.script("").split(separator: "\n").first)
    for pattern in [bug.pattern, bug.fixed] {
      let help = try await home.eval("\(load)\nhelp \(pattern)")
      let examples = ManualExampleTests.examples(in: help.output)
      #expect(!examples.isEmpty, "\(help)")
      for example in examples {
        let outcome = try await home.records("\(load)\n\(example)")
        #expect(outcome.code == 0, "\(outcome)")
        #expect(try outcome.records("run").first?.objects("lints").isEmpty == true, "\(outcome)")
      }
    }
  }

  /// Every manual names the laws that its pattern obeys and breaks, and is right about them.
  @Test(arguments: Set(bugs.flatMap(\.files)).sorted())
  func `the laws that the bugs break are those in their manuals`(file: String) async throws {
    let outcome = try await PlaygroundHome().run(["plugin", "check", Self.folder + "/" + file])
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `every expectation in the tour of the bugs passes`() async throws {
    let home = try PlaygroundHome()
    let script = Self.root + "/Scripts/bugs.play"
    let outcome = try await PlaygroundProcess(
      ["--json", "run", script], input: nil, in: Self.root, environment: home.environment
    ).outcome()
    #expect(outcome.code == 0, "\(outcome)")
    let expectations = try outcome.records("expect")
    let explorations = try outcome.records("explore")
    #expect(expectations.count == explorations.count && expectations.count >= 16)
    for expectation in expectations { #expect(expectation.bool("passed") == true) }
    // The exploration of each bug comes directly before the one of its fixed version.
    let found = explorations.map { ($0.integer("violations") ?? 0) > 0 }
    #expect(found.count { $0 } >= 8 && found.count { !$0 } >= 8)
    for file in Set(Self.bugs.flatMap(\.files)) {
      let text = try String(contentsOfFile: script, encoding: .utf8)
      #expect(text.contains("Scripts/Bugs/\(file)"))
    }
  }
}
