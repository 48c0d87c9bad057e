import AsyncPatterns

/// `any`: steps as promises, and `any` of them.
struct AnyPattern: AsyncPattern {
  static let manual = Manual(
    name: "any",
    summary: "Starts all its steps at once; the first success is the result.",
    discussion: """
      Each step is a promise, and the result is what Promise.any makes of them: the value of \
      whichever is fulfilled first. The others are called off then. Only if all fail does it fail, \
      with all their errors in the order written.

      The trap of other libraries: “any” and “race” mean now this, now that. Here a failure never wins an \
      any; race is the pattern where the first decides, whatever it comes to.
      """,
    steps: .atLeast(1), flow: .sideBySide, failure: .firstSuccess,
    examples: [
      """
      any { near: fail "down"; far: sleep 20ms; farther: sleep 40ms }
      expect outcome == success
      """,
      """
      any { a: fail "down"; b: fail "busy" }
      expect outcome == failure
      """,
    ])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let first = Promise.any(scope.promises(of: steps, input: input))
    scope.complete(completion, with: first.mapError { $0 as any Error })
  }
}
