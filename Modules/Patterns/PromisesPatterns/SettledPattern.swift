import AsyncPatterns
import Promises

/// `settled`: steps as promises, and the results of all of them.
struct SettledPattern: AsyncPattern {
  static let manual = Manual(
    name: "settled",
    summary: "Runs its steps in parallel; yields the result of each, once all have ended.",
    discussion: """
      Each step is a promise, and the result is that of Promise.settled: a list with an element \
      for each step in the order written, ["fulfilled", its value] or ["rejected", its error]. It \
      succeeds even if its steps fail; it fails only if it is cancelled. With a width, at most \
      that many run at the same time.
      """,
    parameters: [.width],
    flow: .sideBySide, failure: .collects,
    differsFrom: "group, which fails if one of its steps fails",
    seeAlso: ["all", "group"],
    examples: [
      """
      settled { a: sleep 10ms; b: fail "no such page" }
      expect outcome == success
      """,
      """
      settled(width: 1) { a: sleep 10ms; b: fail "no such page"; c: sleep 20ms }
      expect makespan == 30ms
      """,
    ])

  private let width: Int?

  init(_ arguments: Arguments) throws { width = try arguments.width }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    guard !steps.isEmpty else { return completion(.success(.list([]))) }
    let settled: Promise<[Result<Value, any Error>], any Error> =
      if let width {
        scope.map(steps, width: width) { step in
          scope.promise(of: step, input: input, cancelsUnneeded: true)
            .map { .success($0) }.recover { .failure($0) }
        }
      } else {
        Promise.settled(scope.promises(of: steps, input: input)).tryMap { $0 }
      }
    let results = settled.map { results -> Value in
      // Steps that were cancelled have no result.
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
