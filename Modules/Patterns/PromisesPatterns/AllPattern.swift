import AsyncPatterns
import Promises

/// `all`: steps as promises, combined by `all`.
struct AllPattern: AsyncPattern {
  static let manual = Manual(
    name: "all",
    summary: "Runs its steps side by side; yields all their values, or the first failure at once.",
    discussion: """
      Each step is a promise, and the result is what Promise.all makes of them: their values in the order \
      written. The first failure is the result the moment it happens, and the other steps are called \
      off, since nobody waits for them any more; with “others: run-on” they run on in the background. With a \
      limit no more than that many run at once, and after a failure no more start.

      The traps of other libraries: each promise that is fulfilled makes all the others be looked at \
      again, which takes a minute for ten thousand; and those that have lost run on in the background, \
      always. group is the pattern that lets them finish first.
      """,
    parameters: [
      Parameter(
        "limit", .integer(1...Int.max),
        summary: "how many steps run at once; all of them unless given"),
      Parameter(
        "others", .word(["called-off", "run-on"]), default: .string("called-off"),
        summary: "what becomes of steps that nobody waits for any more"),
    ],
    flow: .sideBySide, failure: .failsFast,
    examples: [
      "all { a: sleep 10ms; b: sleep 30ms; c: sleep 20ms }",
      """
      all(limit: 2) { page: 6 * sleep 10ms }
      expect concurrency == 2
      """,
      """
      all { a: sleep 30ms; b: fail "no such page" }
      expect outcome == failure
      expect makespan < 30ms
      """,
    ])

  private let limit: Int?
  private let callsOff: Bool

  init(_ arguments: Arguments) throws {
    limit = try arguments.limit
    callsOff = try arguments.callsOff
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    guard !steps.isEmpty else { return completion(.success(.list([]))) }
    let all: Promise<[Value], any Error> =
      if let limit {
        scope.map(steps, limit: limit) {
          scope.promise(of: $0, input: input, callsOff: callsOff)
        }
      } else {
        .all(scope.promises(of: steps, input: input, callsOff: callsOff))
      }
    scope.complete(completion, with: all.map { .list($0) })
  }
}
