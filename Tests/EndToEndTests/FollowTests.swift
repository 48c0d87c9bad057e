import Foundation
import TerminalTesting
import Testing

/// `trace show --follow`: a run in the background, drawn while it is in progress.
@Suite struct FollowTests {
  @Test func `the picture grows in place, and the final picture replaces it`() async throws {
    let home = try PlaygroundHome()
    let gate = try NamedPipe(home.workingFolder + "/gate")
    let terminal = try await PromptTests.open(home)
    try await terminal.type(
      "load SerialQueue; serial { a: sh \"head -n 1 gate\"; b: value 1 } &\n",
      expecting: "[1] serial")
    try await terminal.type("trace show --follow\n", expecting: " · running · so far ")
    // The text comes twice, so the picture was redrawn.
    try await terminal.expect(" · running · so far ")
    gate.write("open")
    try await terminal.expect("[1] success")
    let screen = try await terminal.expectScreen("the prompt after the run") { lines in
      lines.contains { $0.contains("· success · makespan") } && lines.last == ">"
    }
    #expect(!screen.contains { $0.contains("running") }, "\(screen)")
    terminal.press(.controlD)
    #expect(try await terminal.waitForExit() == 0)
  }

  @Test func `Ctrl-C ends the following and not the run`() async throws {
    let terminal = try await PromptTests.open(PlaygroundHome())
    try await terminal.type("never &\n", expecting: "[1] never")
    try await terminal.type("trace show --follow\n", expecting: " · running · so far ")
    try await terminal.press(.controlC, expecting: "[1] is still running")
    try await terminal.expect("\n> ")
    try await terminal.type("jobs\n", expecting: "[1] running")
    terminal.type("cancel; wait; quit\n")
    #expect(try await terminal.waitForExit() == 0)
  }

  @Test(arguments: [
    ("trace show --follow", "no background run is in progress"),
    ("never &\ntrace show --follow\ncancel", "standard output is not a terminal"),
    ("trace show --follow a.runs", "“a.runs” is a file"),
  ])
  func `without a terminal to redraw, it says what to do`(
    _ script: String, _ complaint: String
  ) async throws {
    let outcome = try await PlaygroundHome().eval(script)
    #expect(outcome.code == 2 && outcome.errors.contains(complaint), "\(outcome)")
  }

  @Test func `on the virtual clock there is nothing to follow`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "never &\ntrace show --follow", "--clock", "virtual")
    #expect(outcome.code == 2, "\(outcome)")
  }
}
