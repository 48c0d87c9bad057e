import Foundation
import TerminalTesting
import Testing

/// The article “See why your program is slow”: its programs, its commands, and what they print.
@Suite struct SeeWhyItIsSlowTests {
  @Test func `each command prints what the article shows, but for times`() async throws {
    let article = try Article("Modules/Trace/TimingTrace/TimingTrace.docc/SeeWhyItIsSlow.md")
    let programs = article.blocks(in: "swift")
    let home = try PlaygroundHome()
    try home.write(programs[0], to: "Demo.swift")
    let rest = try #require(programs[0].range(of: "\nfunc load"))
    try home.write(programs[1] + programs[0][rest.lowerBound...], to: "Fixed.swift")
    let commands = article.commands
    try #require(commands.count == 11)
    for command in commands {
      guard command.words[0] == "playground" else {
        try await Shell.run(command.words, in: home.workingFolder)
        continue
      }
      let outcome = try await home.run(Array(command.words.dropFirst()))
      for word in command.shown.fixedWords {
        #expect(outcome.output.contains(word), "\(word): \(outcome)")
      }
    }
  }
}

extension String {
  /// The names of tasks, actors, files and rules in it. Times, pictures and verdicts depend on the machine, as does which
  /// task was next.
  fileprivate var fixedWords: Set<Substring> {
    let words = split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "." }
    return Set(
      words.filter {
        $0.hasPrefix("picture-") || $0 == "Gallery" || $0.hasSuffix(".jsonl")
          || $0 == "actor-contention"
      })
  }
}
