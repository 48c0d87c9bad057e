import AsyncPatterns
import Promises

/// `any`: steps as promises, combined by `any`.
struct AnyPattern: AsyncPattern {
  static let manual = Manual(
    name: "any",
    summary: "Runs its steps in parallel; the first success is the result.",
    discussion: """
      Each step is a promise, and the result is that of Promise.any: the value of the first \
      promise that is fulfilled. The others are then cancelled. It fails only if all fail, with \
      all their errors in the order written. With “others: continue” the others keep running in the \
      background. With a width, at most that many run at the same time: the next one starts when \
      one has failed.

      The trap of other libraries: the meanings of “any” and “race” differ from one to the next. \
      Here a failure never wins an any; in race the first end decides, whether it is a success or \
      a failure.
      """,
    parameters: [.width, .others],
    steps: .atLeast(1), flow: .sideBySide, failure: .firstSuccess,
    differsFrom: "race, where the first step to end decides, even if it fails",
    seeAlso: ["race", "recover", "all"],
    examples: [
      """
      any { near: fail "down"; far: sleep 20ms; farther: sleep 40ms }
      expect outcome == success
      """,
      """
      any { a: fail "down"; b: fail "busy" }
      expect outcome == failure
      """,
      """
      any(width: 2) { a: sleep 10ms; b: fail "down"; c: sleep 5ms; d: sleep 1ms }
      expect count d == 0
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
    guard let width else {
      let promises = scope.promises(of: steps, input: input, cancelsUnneeded: cancelsUnneeded)
      return scope.complete(completion, with: Promise.any(promises).mapError { $0 })
    }
    // This is `all` with values and errors swapped: it continues after each error, and ends with the first value.
    let errors: Promise<[any Error], any Error> = scope.map(steps, width: width) { step in
      scope.promise(of: step, input: input, cancelsUnneeded: cancelsUnneeded)
        .map { value -> any Error in throw Won(value: value) }
        .recover { error in
          if error is Won { throw error }
          return error
        }
    }
    let first = errors.map { errors -> Value in throw AllFailed(errors: errors) }
      .recover(from: Won.self) { $0.value }
    scope.complete(completion, with: first)
  }
}

/// A step succeeded with this value.
private struct Won: Error {
  let value: Value
}
