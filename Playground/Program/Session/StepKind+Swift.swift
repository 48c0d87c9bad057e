import AsyncPatterns
import PlaygroundLanguage
import PluginLoading
import SwiftScanning

extension StepKind {
  /// The step `swift`. Its code is not an argument, so this value only describes the step.
  static let swift = StepKind(
    Manual(
      name: Parser.swift,
      summary: "Runs Swift: swift { BODY } is a step, swift DECLARATION is kept.",
      discussion: """
        The body is asynchronous Swift. “input” is the value that comes in: input.text, Int(input), Double(input), \
        Bool(input), Duration(input) and [Value](input) read it. The result of the body is the value of the step, \
        and an error that it throws is its failure. A failure is a violation under “explore”.
        “swift” before a declaration keeps it for later code: swift actor Cache { … }, swift func, swift struct, \
        swift let, swift import Foundation. Declaring a name again replaces it, and recompiles the code that uses it. \
        The body can also use the declarations of a file that “load FILE.swift” has loaded.
        Everything is compiled in Swift 6 mode. Compiled code is kept, so the same code starts immediately.
        """,
      steps: .none, seeAlso: ["value", "sh"],
      examples: [
        "swift { (1...10).reduce(0, +) }",
        "serial { value 20; swift { (Int(input) ?? 0) + 1 } }",
        """
        swift actor Counter { var count = 0; func add() { count += 1 } }
        swift {
          let counter = Counter()
          await counter.add()
          return await counter.count
        }
        """,
      ])
  ) { _ in
    throw CommandError("“\(Parser.swift)” takes Swift in braces")
  }
}

extension SnippetLibrary {
  /// The step for a block. Nil if the block was not compiled.
  func step(for block: SwiftPiece) -> Step? {
    guard let pattern = pattern(for: block), let instance = try? pattern.init(Arguments()) else {
      return nil
    }
    return Step(Parser.swift, pattern: instance, steps: [])
  }
}
