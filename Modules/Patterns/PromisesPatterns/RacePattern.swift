import AsyncPatterns
import Promises

/// `race`: steps as promises, combined by `race`.
struct RacePattern: AsyncPattern {
  static let manual = Manual(
    name: "race",
    summary: "Starts all its steps at once; the one that ends first decides, also with a failure.",
    discussion: """
      Each step is a promise, and the result is what Promise.race makes of them: what the first comes to, \
      value or failure. The others are called off then; with “others: run-on” they run on in the background.

      The trap of other libraries: those that have lost always run on, with their timers and their connections, \
      since a promise there cannot be told that nobody waits for it.
      """,
    parameters: [
      Parameter(
        "others", .word(["called-off", "run-on"]), default: .string("called-off"),
        summary: "what becomes of steps that nobody waits for any more")
    ],
    steps: .atLeast(1), flow: .sideBySide, failure: .first,
    examples: [
      "race { a: sleep 30ms; b: sleep 10ms }",
      """
      race { a: sleep 30ms; b: fail "down" }
      expect outcome == failure
      """,
      """
      race(others: run-on) { a: sleep 30ms; b: sleep 10ms }
      expect makespan == 30ms
      """,
    ])

  private let callsOff: Bool

  init(_ arguments: Arguments) throws { callsOff = try arguments.callsOff }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let promises = scope.promises(of: steps, input: input, callsOff: callsOff)
    scope.complete(completion, with: .race(promises))
  }
}
