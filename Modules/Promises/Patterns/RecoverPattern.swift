import AsyncPatterns

/// `recover`: each step is there for the case that the one before fails.
struct RecoverPattern: AsyncPattern {
  static let manual = Manual(
    name: "recover",
    summary: "Tries its steps in order until one succeeds.",
    discussion: """
      The first step is a promise, and each other one recovers what comes before: it starts only if \
      that has failed, with the same input. The first success is the result, and no more starts; if all \
      fail, so does it, with the last failure. Cancelling starts nothing more: what was stopped on \
      purpose needs no recovery.
      """,
    steps: .atLeast(1), flow: .sideBySide, failure: .firstSuccess, ordering: .keepsOrder,
    examples: [
      """
      recover { cache: fail "not there"; network: sleep 20ms; mirror: sleep 50ms }
      expect outcome == success
      expect makespan < 50ms
      """
    ])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    guard let first = steps.first else { return completion(.success(input)) }
    let result = steps.dropFirst().reduce(scope.promise(of: first, input: input)) {
      promise, step in
      promise.flatMapError { error in
        guard !scope.isCancelled else { throw error }
        return scope.promise(of: step, input: input)
      }
    }
    scope.complete(completion, with: result)
  }
}
