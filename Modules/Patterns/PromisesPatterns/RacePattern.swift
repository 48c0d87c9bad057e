import AsyncPatterns
import Promises

/// `race`: steps as promises, combined by `race`.
struct RacePattern: AsyncPattern {
  static let manual = Manual(
    name: "race",
    summary: "Starts all its steps together; the first one to end decides, even if it fails.",
    discussion: """
      Each step is a promise, and the result is that of Promise.race: the value or failure of the \
      first one that ends. The others are then cancelled; with “others: continue” they keep running \
      in the background.

      The trap of other libraries: the losers always keep running, with their timers and their \
      connections. A promise there cannot be notified that its result is no longer needed.
      """,
    parameters: [.others],
    steps: .atLeast(1), flow: .sideBySide, failure: .first,
    differsFrom: "any, where a failure never wins",
    seeAlso: ["any", "timeout", "all"],
    examples: [
      "race { a: sleep 30ms; b: sleep 10ms }",
      """
      race { a: sleep 30ms; b: fail "down" }
      expect outcome == failure
      """,
      """
      race(others: continue) { a: sleep 30ms; b: sleep 10ms }
      expect makespan == 30ms
      """,
    ])

  private let cancelsUnneeded: Bool

  init(_ arguments: Arguments) throws { cancelsUnneeded = try arguments.cancelsUnneeded }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let promises = scope.promises(of: steps, input: input, cancelsUnneeded: cancelsUnneeded)
    scope.complete(completion, with: .race(promises))
  }
}
