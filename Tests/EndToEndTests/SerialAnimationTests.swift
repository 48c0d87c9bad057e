import Foundation
import Testing

/// Animations one after another: the script that shows three ways to do it, and the patterns as a user types them.
@Suite struct SerialAnimationTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
  static let script = root + "/Scripts/serial-animation.play"

  @Test func `every expectation of the script passes`() async throws {
    let outcome = try await PlaygroundHome().run(["--json", "run", Self.script])
    #expect(outcome.code == 0, "\(outcome)")
    let text = try String(contentsOfFile: Self.script, encoding: .utf8)
    let written = text.split(separator: "\n").count { $0.hasPrefix("expect ") }
    let expectations = try outcome.records("expect")
    #expect(expectations.count == written && written >= 20)
    for expectation in expectations {
      #expect(expectation.bool("passed") == true, "\(expectation)")
    }
  }

  @Test func `three ways take the same time, and one blocks a thread`() async throws {
    let outcome = try await PlaygroundHome().run(["--json", "run", Self.script])
    let runs = try outcome.records("run")
    var blocked: [String: Int] = [:]
    for run in runs {
      guard let name = run.string("name"), name.hasSuffix(" label") else { continue }
      #expect(run.integer("makespan_ns") == 3_600_000_000, "\(run)")
      blocked[String(name.dropLast(" label".count))] = run.integer("blocked_ns")
    }
    #expect(
      blocked == ["serial.nested": 0, "serial.semaphore": 3_600_000_000, "serial": 0])
  }

  @Test func `the output shows the blocked thread`() async throws {
    let outcome = try await PlaygroundHome().run(["run", Self.script])
    #expect(outcome.code == 0, "\(outcome)")
    #expect(outcome.output.contains("▒ thread blocked"))
    #expect(outcome.output.contains("called its completion again"))
    #expect(outcome.output.contains("which has waited for semaphore"))
  }

  static let exact: [(script: String, expectations: [String])] = [
    ("animate", ["makespan == 300ms", "value == 1", "blocked == 0ms", "lints == none"]),
    (
      "animate(duration: 1s, delay: 50ms, curve: ease-out, property: x, from: 10, to: 250)",
      ["makespan == 1050ms", "value == 250"]
    ),
    (
      "serial { fadeIn: animate; pause: sleep 3s; fadeOut: animate(from: 1, to: 0) }",
      ["makespan == 3600ms", "value == 0", "started fadeOut == 3300ms", "concurrency == 1"]
    ),
    (
      "keyframes(100ms, delay: 50ms) { a: value 1; b: value 0.5 after a }",
      ["makespan == 250ms", "value == 0.5", "started b == 50ms"]
    ),
    (
      "keyframes { a: value 1 with at: 50%; b: value \"high\" }",
      ["outcome == failure", "makespan == 0ms"]
    ),
  ]

  @Test(arguments: exact) func `a typed animation takes exactly the expected time`(
    script: String, expectations: [String]
  ) async throws {
    let expects = expectations.map { "expect \($0)" }.joined(separator: "\n")
    let outcome = try await PlaygroundHome().records("load SerialQueue\n\(script)\n\(expects)")
    let checked = try outcome.records("expect")
    #expect(checked.count == expectations.count)
    for expectation in checked { #expect(expectation.bool("passed") == true, "\(expectation)") }
    #expect(outcome.code == 0, "\(outcome)")
  }

  @Test func `the animation runs on the live clock`() async throws {
    let script = "load SerialQueue\nserial { animate(30ms); keyframes(10ms) { 3 * value 0.5 } }"
    let outcome = try await PlaygroundHome().run(
      ["--clock", "live", "--json", "run", "-"], input: script)
    #expect(outcome.code == 0, "\(outcome)")
    let run = try #require(try outcome.records("run").first)
    #expect(run.string("outcome") == "success", "\(outcome)")
    #expect(try #require(run.integer("makespan_ns")) >= 60_000_000)
  }

  static let refused: [(written: String, says: String)] = [
    ("animate(curve: bouncy)", "ease-in-out or a curve, not \"bouncy\""),
    ("animate(curve: ease-inn)", "did you mean “ease-in”?"),
    ("animate(spring: 0)", "a damping ratio above 0"),
    ("animate(spring: 0.5, curve: ease)", "not both"),
    ("animate { sleep 3ms }", "takes no steps"),
    ("keyframes {}", "at least 1 step"),
    ("keyframes { a: value 1 with at: 150% }", "0% to 100%"),
  ]

  @Test(arguments: refused) func `invalid arguments are refused before anything runs`(
    written: String, says: String
  ) async throws {
    let outcome = try await PlaygroundHome().eval("load SerialQueue\nanimate\n\(written)")
    #expect(outcome.code == 2, "\(outcome)")
    #expect(outcome.errors.contains(says), "\(outcome)")
    #expect(!outcome.output.contains("makespan"))
  }
}
