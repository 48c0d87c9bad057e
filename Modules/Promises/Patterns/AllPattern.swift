import AsyncPatterns

/// `all`: steps as promises, and `all` of them.
struct AllPattern: AsyncPattern {
  static let manual = Manual(
    name: "all",
    summary: "Starts all its steps at once; yields all their values, or the first failure at once.",
    discussion: """
      Each step is a promise, and the result is what Promise.all makes of them: their values in the order \
      written. The first failure is the result the moment it happens, and the other steps are called \
      off, since nobody waits for them any more.

      The traps of other libraries: each promise that is fulfilled makes all the others be looked at \
      again, which takes a minute for ten thousand; and those that have lost run on in the background. \
      group is the pattern that lets them finish first.
      """,
    flow: .sideBySide, failure: .failsFast,
    examples: [
      "all { a: sleep 10ms; b: sleep 30ms; c: sleep 20ms }",
      """
      all { a: sleep 30ms; b: fail "no such page" }
      expect outcome == failure
      expect makespan < 30ms
      """,
    ])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    guard !steps.isEmpty else { return completion(.success(.list([]))) }
    let all = Promise.all(scope.promises(of: steps, input: input))
    scope.complete(completion, with: all.map { .list($0) })
  }
}
