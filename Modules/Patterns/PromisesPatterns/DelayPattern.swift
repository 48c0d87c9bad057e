import AsyncPatterns
import Promises

/// `delay`: a chain of steps whose value comes later.
struct DelayPattern: AsyncPattern {
  static let manual = Manual(
    name: "delay",
    summary: "Chains its steps with then, and passes the value on some time after it is there.",
    discussion: """
      The steps run one after another, as those of promise do. Their value is the result when the delay \
      has passed; a failure is the result at once. Without steps it is the input that comes later. \
      Cancelling ends the delay.
      """,
    parameters: [
      Parameter("by", .duration, isRequired: true, summary: "how long the value is kept back")
    ],
    ordering: .keepsOrder,
    examples: ["delay(20ms) { fetch: sleep 5ms }", "delay(10ms)"])

  private let delay: Duration

  init(_ arguments: Arguments) throws { delay = try arguments.duration("by") }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let chain = scope.calledOffUnused { $0.chain(of: steps, input: input) }
    scope.complete(completion, with: chain.delay(delay), isPrompt: true)
  }
}
