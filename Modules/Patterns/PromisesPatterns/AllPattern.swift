import AsyncPatterns
import Promises

/// `all`: steps as promises, combined by `all`.
struct AllPattern: AsyncPattern {
  static let manual = Manual(
    name: "all",
    summary:
      "Runs its steps in parallel; yields all values, or the first failure as soon as it happens.",
    discussion: """
      Each step is a promise, and the result is that of Promise.all: the list of their values in \
      the order written. The first failure is the result immediately, and the other steps are \
      cancelled, because their results are no longer needed. With “others: continue” they keep \
      running in the background. With a width, at most that many run at the same time, and no more \
      start after a failure.

      The traps of other libraries: each promise that is fulfilled checks all the others again, \
      which takes a minute for ten thousand; and the remaining promises always keep running in the \
      background. group is the pattern that lets them finish first.
      """,
    parameters: [.width, .others],
    flow: .sideBySide, failure: .failsFast,
    differsFrom: "group, which lets the other steps end after a failure",
    seeAlso: ["group", "settled", "any", "race", "swift.taskgroup"],
    examples: [
      "all { a: sleep 10ms; b: sleep 30ms; c: sleep 20ms }",
      """
      all(width: 2) { page: 6 * sleep 10ms }
      expect concurrency == 2
      """,
      """
      all { a: sleep 30ms; b: fail "no such page" }
      expect outcome == failure
      expect makespan < 30ms
      """,
    ])

  private let width: Int?
  private let cancelsUnneeded: Bool

  init(_ arguments: Arguments) throws {
    width = try arguments.width
    cancelsUnneeded = try arguments.cancelsUnneeded
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    guard !steps.isEmpty else { return completion(.success(.list([]))) }
    let all: Promise<[Value], any Error> =
      if let width {
        scope.map(steps, width: width) {
          scope.promise(of: $0, input: input, cancelsUnneeded: cancelsUnneeded)
        }
      } else {
        .all(scope.promises(of: steps, input: input, cancelsUnneeded: cancelsUnneeded))
      }
    scope.complete(completion, with: all.map { .list($0) })
  }
}
