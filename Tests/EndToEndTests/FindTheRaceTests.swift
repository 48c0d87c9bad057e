import Foundation
import TerminalTesting
import Testing

/// The article “Find the race in your own actor”: its programs, its commands, and their output.
@Suite struct FindTheRaceTests {
  @Test func `each command prints what the article shows`() async throws {
    let article = try Article("Modules/Testing/AsyncSimulation/AsyncSimulation.docc/FindTheRace.md")
    let programs = article.blocks(in: "swift")
    let home = try PlaygroundHome()
    try home.write(programs[0], to: "Demo.swift")
    let main = try #require(programs[0].range(of: "@main"))
    try home.write(programs[1] + programs[0][main.lowerBound...], to: "Fixed.swift")
    let commands = article.commands
    try #require(commands.count == 5)
    for command in commands {
      guard command.words[0] == "playground" else {
        try await Shell.run(command.words, in: home.workingFolder)
        continue
      }
      let words = Array(command.words.dropFirst())
      let outcome = try await home.run(words, environment: ["SWIFT_BACKTRACE": "enable=no"])
      // A replay prints the events again after the output that the article shows.
      if words[0] == "replay" {
        #expect(outcome.output.hasPrefix(command.shown), "\(outcome)")
      } else {
        #expect(outcome.output == command.shown, "\(outcome)")
      }
    }
  }
}
