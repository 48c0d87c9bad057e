import AsyncPatterns
import SerialQueue

/// `serial.nested`: each step is started in the completion of the step before it.
struct NestedPattern: AsyncPattern {
  static let manual = Manual(
    name: "serial.nested",
    summary:
      "Runs its steps one after another, each started in the completion of the one before it.",
    discussion: """
      The pyramid of nested completions, as one writes it without a queue: animate, and in the completion \
      animate again, and in its completion clean up. Values flow and failures skip to the end as with \
      serial.

      It keeps the laws here because the same two questions are asked at every level: has it failed, and \
      is it cancelled? That is the trap. In a pyramid of five levels they are written five times, and \
      a level where one is forgotten goes on after a failure, or never calls the completion of the \
      whole. There is nothing to hold on to: no queue to cancel, to pause, to append to or to ask how much \
      is left; a step can be added in the source only, and the order is that of the indentation. A \
      level whose completion comes twice starts all levels below it twice, unless somebody guards it, as \
      happens here.

      The way out is serial: the steps stand side by side in the source, and the questions are asked once.
      """,
    ordering: .keepsOrder,
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
