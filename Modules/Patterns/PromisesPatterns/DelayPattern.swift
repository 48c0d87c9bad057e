import AsyncPatterns
import Promises

/// `delay`: a chain of steps whose value comes later.
struct DelayPattern: AsyncPattern {
  static let manual = Manual(
    name: "delay",
    summary: "Chains its steps with “then”, and passes the value on after a delay.",
    discussion: """
      The steps run one after another, like those of promise. Their value is the result when the \
      delay has passed; a failure is the result immediately. Without steps, the input is delayed. \
      Cancelling ends the delay.
      """,
    parameters: [
      Parameter("by", .duration, isRequired: true, summary: "how long the value is delayed")
    ],
    ordering: .keepsOrder,
    seeAlso: ["timeout", "promise"],
    examples: ["delay(20ms) { fetch: sleep 5ms }", "delay(10ms)"])

  private let delay: Duration

  init(_ arguments: Arguments) throws { delay = try arguments.duration("by") }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let chain = scope.cancelledWhenUnused { $0.chain(of: steps, input: input) }
    scope.complete(completion, with: chain.delay(delay), isPrompt: true)
  }
}
