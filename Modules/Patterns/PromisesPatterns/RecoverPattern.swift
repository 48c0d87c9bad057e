import AsyncPatterns
import Promises

/// `recover`: each step runs if the step before it fails.
struct RecoverPattern: AsyncPattern {
  static let manual = Manual(
    name: "recover",
    summary: "Tries its steps in order until one succeeds.",
    discussion: """
      The first step is a promise, and each following step recovers from the failure of the one \
      before: it starts only if that has failed, with the same input. The first success is the \
      result, and no more steps start. If all fail, the last failure is the result. After a \
      cancellation, no more steps start, because an intended stop needs no recovery.

      With “from”, it recovers from a failure only if the failure's text contains that part; any \
      other failure is the result immediately. The trap of other libraries: a handler that is \
      meant for one error, such as a missing page, handles all errors, and hides a mistake in the \
      program.
      """,
    parameters: [
      Parameter(
        "from", .string,
        summary: "a part of the text of the failures to recover from; all failures unless given")
    ],
    steps: .atLeast(1), flow: .sideBySide, failure: .firstSuccess, ordering: .keepsOrder,
    differsFrom: "any, which starts its steps together",
    seeAlso: ["any", "retry"],
    examples: [
      """
      recover { cache: fail "not there"; network: sleep 20ms; mirror: sleep 50ms }
      expect outcome == success
      expect makespan < 50ms
      """,
      """
      recover(from: "not there") { cache: fail "no permission"; network: sleep 20ms }
      expect outcome == failure
      expect count network == 0
      """,
    ])

  private let part: String?

  init(_ arguments: Arguments) throws {
    part = arguments["from"] == nil ? nil : try arguments.string("from")
    if part?.isEmpty == true {
      throw ArgumentError(
        "“from” is empty, and every error's text contains the empty text: name a part of the text, or "
          + "leave “from” out to recover from all failures", parameter: "from")
    }
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    guard let first = steps.first else { return completion(.success(input)) }
    let result = steps.dropFirst().reduce(scope.promise(of: first, input: input)) {
      promise, step in
      promise.flatMapError { error in
        guard !scope.isCancelled, recovers(from: error) else { throw error }
        return scope.promise(of: step, input: input)
      }
    }
    scope.complete(completion, with: result)
  }

  private func recovers(from error: any Error) -> Bool {
    guard let part else { return true }
    return "\(error)".contains(part)
  }
}
