import Foundation
import Testing

/// The behaviour of the program if a standard stream is closed, full, endless, or used by another program.
@Suite struct StandardStreamsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// The words after the name of the program on the command line of a shell.
    let words: String
    let code: Int
    let said: String
    var testDescription: String { words }
  }

  static let cases: [Case] = [
    Case(
      words: "2>&1 <&-", code: 2, said: "standard input cannot be read: Bad file descriptor"),
    Case(
      words: "eval 'value 1' 2>&1 >&-", code: 2,
      said: "cannot write to standard output: Bad file descriptor"),
    Case(
      words: "eval 'value 1' 2>&1 >/dev/full", code: 2,
      said: "cannot write to standard output: No space left on device"),
    Case(words: "eval 'print \"still said\"' 2>&-", code: 0, said: "still said"),
    Case(words: "run /dev/null 2>&1", code: 0, said: ""),
    Case(words: "2>&1 < /dev/zero", code: 2, said: "the limit for a script"),
  ]

  @Test(arguments: cases)
  func `an unusable standard stream is reported`(_ stream: Case) async throws {
    let folder = try TemporaryFolder()
    let output = try await Shell.run(
      "sh", "-c", "\"$0\" \(stream.words); echo \"code $?\"", PlaygroundProcess.executable,
      in: folder.path)
    #expect(output.hasSuffix("code \(stream.code)"))
    #expect(stream.said.isEmpty || output.contains(stream.said), "\(output)")
    #expect(!output.contains("Fatal error"))
  }

  @Test func `a script comes from a named pipe`() async throws {
    let folder = try TemporaryFolder()
    let output = try await Shell.run(
      "sh", "-c",
      "mkfifo script && { echo 'print \"from a pipe\"' > script & } && \"$0\" run script",
      PlaygroundProcess.executable, in: folder.path)
    #expect(output == "from a pipe", "\(output)")
  }

  @Test func `output of a plugin does not mix with the records`() async throws {
    let home = try PlaygroundHome()
    try home.write(
      """
      import AsyncPatterns

      struct Chatty: AsyncPattern {
        static let manual = Manual(name: "chatty", summary: "Prints.")
        init(_ arguments: Arguments) { print("chatter") }
        func start(
          _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
        ) { completion(.success(input)) }
      }

      struct ChattyPlugin: Plugin {
        static let name = "Chatty"
        static let summary = "Prints."
        static let patterns: [any AsyncPattern.Type] = [Chatty.self]
      }
      """, to: "Chatty.swift")
    let outcome = try await home.eval("load Chatty.swift; chatty { }", "--json")
    #expect(outcome.code == 0, "\(outcome)")
    #expect(try outcome.records().map { $0.string("record") } == ["run"])
    #expect(outcome.errors.contains("chatter"))
  }

  @Test func `without Unicode the program speaks ASCII, and values are unchanged`() async throws {
    let outcome = try await PlaygroundHome().eval(
      "print \"“ä”\"; never", "--time-limit", "10ms", environment: ["LANG": "C"])
    #expect(outcome.output.hasPrefix("“ä”\n") || outcome.output.contains("\n“ä”\n"))
    let rest = outcome.output.replacing("“ä”", with: "").replacing("ä", with: "")
    #expect(rest.utf8.allSatisfy { $0 < 0x80 }, "\(rest)")
  }

  @Test func `a pipe gets the output of typed code before later output`() async throws {
    let outcome = try await PlaygroundHome().eval("swift { print(\"first\") }; print \"second\"")
    #expect(outcome.output.hasPrefix("first\n"), "\(outcome)")
  }
}
