import AsyncPatterns
import SerialQueue

/// `serial.nested`: each step is started in the completion of the step before it.
struct NestedPattern: AsyncPattern {
  static let manual = Manual(
    name: "serial.nested",
    summary:
      "Runs its steps one after another, each started in the completion of the one before it.",
    discussion: """
      These are nested completions, as code without a queue has them: animate, in the completion \
      animate again, and in its completion clean up. Values are passed on and failures skip the \
      remaining steps, as with serial.

      It keeps the laws here because each level checks the same two conditions: whether the step \
      failed, and whether it is cancelled. That is the trap. With five levels they are written \
      five times. A level that forgets one continues after a failure, or never calls the \
      completion of the whole. There is no queue that you could cancel, pause, append to or ask how \
      much is left. A step can be added only in the source. The order is that of the \
      indentation. A level whose completion is called twice starts all levels below it twice, \
      unless it is guarded, as it is here.

      The fix is serial: the steps are side by side in the source, and the conditions are checked \
      in one place.
      """,
    ordering: .keepsOrder,
    differsFrom: "serial, which checks failure and cancellation in one place",
    seeAlso: ["serial", "serial.chain"],
    examples: ["serial.nested { fadeIn: sleep 300ms; pause: sleep 3s; fadeOut: sleep 300ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    nest(steps[...], input: input, in: scope, completion: completion)
  }

  private func nest(
    _ steps: ArraySlice<Step>, input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    guard let step = steps.first else { return completion(.success(input)) }
    guard !scope.isCancelled else { return completion(.failure(CancellationError())) }
    scope.start(step, input: input) { result in
      switch result {
      case .success(let value):
        nest(steps.dropFirst(), input: value, in: scope, completion: completion)
      case .failure: completion(result)
      }
    }
  }
}
