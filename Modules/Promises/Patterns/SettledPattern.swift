import AsyncPatterns

/// `settled`: steps as promises, and what all of them come to.
struct SettledPattern: AsyncPattern {
  static let manual = Manual(
    name: "settled",
    summary: "Starts all its steps at once; what each came to, once all have ended.",
    discussion: """
      Each step is a promise, and the result is what Promise.settled makes of them: a list with an element \
      for each step in the order written, ["fulfilled", its value] or ["rejected", its error]. It \
      succeeds whatever its steps do; only if it is cancelled does it fail.
      """,
    flow: .sideBySide, failure: .collects,
    examples: [
      """
      settled { a: sleep 10ms; b: fail "no such page" }
      expect outcome == success
      """
    ])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    guard !steps.isEmpty else { return completion(.success(.list([]))) }
    let settled = Promise.settled(scope.promises(of: steps, input: input))
    let results = settled.tryMap { results -> Value in
      // Those that were called off have not come to anything.
      if scope.isCancelled { throw CancellationError() }
      return .list(results.map(Self.value))
    }
    scope.complete(completion, with: results)
  }

  private static func value(of result: Result<Value, any Error>) -> Value {
    switch result {
    case .success(let value): .list([.string("fulfilled"), value])
    case .failure(let error): .list([.string("rejected"), .string("\(error)")])
    }
  }
}
