import Foundation
import TerminalTesting
import Testing

/// The article “See why your program is slow”: its programs, its commands, and their output.
@Suite struct SeeWhyItIsSlowTests {
  @Test func `each command prints what the article shows, except for times`() async throws {
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
      // On a busy machine, other tasks hold the threads, so the waits differ.
      guard !command.words.contains("lint") else { continue }
      #expect(outcome.code == 0, "\(outcome)")
      let isPicture = command.words.contains("show")
      for word in command.shown.words
      where isPicture ? word.hasPrefix("picture-") : word.hasSuffix(".jsonl") {
        // The standard output of “record” belongs to the program.
        let shown = command.words.contains("record") ? outcome.errors : outcome.output
        #expect(shown.contains(word), "\(word): \(outcome)")
      }
    }
  }
}

extension String {
  fileprivate var words: [Substring] {
    split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "." }
  }
}
