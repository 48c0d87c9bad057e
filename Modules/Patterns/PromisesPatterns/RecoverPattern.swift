import AsyncPatterns
import Promises

/// `recover`: each step runs if the step before it fails.
struct RecoverPattern: AsyncPattern {
  static let manual = Manual(
    name: "recover",
    summary: "Tries its steps in order until one succeeds.",
    discussion: """
      The first step is a promise, and each other one recovers what comes before: it starts only if \
      that has failed, with the same input. The first success is the result, and no more starts; if all \
      fail, so does it, with the last failure. Cancelling starts nothing more: what was stopped on \
      purpose needs no recovery.

      With “from” a failure is recovered from only if its text contains that; any other is the result \
      at once. The trap of other libraries: what is meant for one error, the page that is not there, \
      takes all of them, and a mistake in the program goes unseen.
      """,
    parameters: [
      Parameter(
        "from", .string,
        summary: "a part of the text of failures to recover from; of all unless given")
    ],
    steps: .atLeast(1), flow: .sideBySide, failure: .firstSuccess, ordering: .keepsOrder,
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
        "“from” takes a part of an error's text, and every text has the empty one; leave it out to "
          + "recover from all failures", parameter: "from")
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
