import Foundation
import Testing

/// Pictures of runs show what happened: timeouts, cancellations, delays, hand-overs and findings.
@Suite struct HappeningsTests {
  struct Picture: Sendable {
    let composition: String
    /// Texts that stand in the output.
    let shown: [String]
  }

  @Test(arguments: [
    Picture(
      composition: "timeout(5ms) { a: sleep 20ms }",
      shown: ["* a│▚▚▚", "▚▚╳│ 5ms timed out\n", "▚ cancelled  ╳ timed out"]),
    Picture(
      composition: "race { a: sleep 3ms; b: sleep 9ms }",
      shown: ["* a│███", "  b│▚▚▚", "▚▚│ 3ms cancelled\n"]),
    Picture(
      composition: "retry(3, delay: 10ms) { a: fail \"no\" }",
      shown: [
        "critical path: a #1 → delay 10ms → a #2 → delay 10ms → a #3\n", "* a #2│┄┄┄",
        "┄ delay 10ms ┄",
        "┄ delay  ",
      ]),
    Picture(
      composition:
        "timeout(5ms) { a: swift { await Task { try? await Task.sleep(for: .milliseconds(30)) }.value } }",
      shown: ["╳❶▓▓▓", "│ 30ms, kept running\n", "▓ keeps running", "❶ late-cancel, a: "]),
    Picture(
      composition: "bounded(1) { a: sleep 30ms; b: sleep 10ms }",
      shown: ["░ permit passed on by a →███"]),
    Picture(
      composition: "serial { a: twice 3ms; b: sleep 9ms }",
      shown: ["███          ", "     ❶     ", "❶ completed-twice, a: "]),
  ])
  func `a picture shows what happened`(_ picture: Picture) async throws {
    let outcome = try await Self.run(picture.composition)
    for text in picture.shown { #expect(outcome.output.contains(text), "\(text)\n\(outcome)") }
  }

  @Test(arguments: [
    ("retry(3) { serial { a: fail \"x\" } }", "serial #1/a → serial #2/a → serial #3/a"),
    ("serial { 2 * serial { a: sleep 1ms } }", "serial-1/a → serial-2/a"),
    (
      "serial { x: promise { p: serial { a: sleep 1ms } }; b: sleep 1ms; y: promise { p: serial { a: sleep 1ms } } }",
      "x/a → b → y/a"
    ),
  ])
  func `the critical path tells steps with the same label apart`(
    _ composition: String, _ path: String
  ) async throws {
    let outcome = try await Self.run(composition, then: "simulate 1 with a * 1")
    #expect(outcome.output.contains("\ncritical path: \(path)\n"), "\(outcome)")
    let timed = path.split(separator: " → ").map { "\($0) " }
    let simulated = outcome.output.split(separator: "\n").first { $0.hasPrefix("  critical path") }
    #expect(timed.allSatisfy { simulated?.contains($0) == true }, "\(outcome)")
  }

  /// Wide characters and joined ones take the columns that a terminal gives them.
  @Test func `rows with emoji and joined characters are aligned`() async throws {
    let outcome = try await Self.run(
      "serial { \"🎉 party\": sleep 1ms; \"👨‍👩‍👧‍👦 all\": sleep 1ms; \"日本\": sleep 1ms; \"é\": sleep 1ms }"
    )
    for row in ["* 🎉 party│", "* 👨‍👩‍👧‍👦 all  │", "* 日本    │", "* é       │"] {
      #expect(outcome.output.contains("\n\(row)"), "\(row)\n\(outcome)")
    }
  }

  /// The number of the finding is above the time that the finding explains.
  @Test func `a finding is at its place in an image, too`() async throws {
    let home = try PlaygroundHome()
    let outcome = try await home.run([
      "--clock", "virtual", "eval",
      "load SerialQueue; serial { a: twice 3ms; b: sleep 5ms }; trace export a.svg",
    ])
    #expect(outcome.code == 0, "\(outcome)")
    let picture = try String(contentsOfFile: home.workingFolder + "/a.svg", encoding: .utf8)
    let texts = picture.matches(of: /<text x="([\d.]+)"[^>]*>([^<]*)</)
    let places = { text in texts.filter { $0.output.2 == text }.map { $0.output.1 } }
    #expect(places("6ms").count == 1 && places("1").first == places("6ms").first, "\(picture)")
  }

  private static func run(
    _ composition: String, then more: String = ""
  ) async throws -> PlaygroundProcess.Outcome {
    try await PlaygroundHome().run([
      "--clock", "virtual", "eval",
      "load SerialQueue Promises OperationGraph; \(composition); \(more)",
    ])
  }
}
