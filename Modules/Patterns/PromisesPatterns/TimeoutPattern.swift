import AsyncPatterns
import Promises

/// `timeout`: a chain of steps with a time limit.
struct TimeoutPattern: AsyncPattern {
  static let manual = Manual(
    name: "timeout",
    summary: "Chains its steps with then, and fails if that takes longer than it may.",
    discussion: """
      The steps run one after another, as those of promise do. If they are not through in time the \
      timeout fails at once, and what runs is called off. Otherwise its timer is released, and a \
      failure of a step is the timeout's. With a value given, that is the result of what is late, in \
      place of a failure.

      The trap of other libraries: the timer is left to run out, and holds all that belongs to the promise \
      until then, so that a thousand quick requests with a timeout of a minute are a thousand timers. \
      On the virtual clock such a timer shows in how long the run takes.
      """,
    parameters: [
      Parameter("limit", .duration, isRequired: true, summary: "how long the steps have"),
      Parameter(
        "value", .value, summary: "what is the result if they take longer; a failure unless given"),
    ],
    failure: .own, ordering: .keepsOrder,
    examples: [
      """
      timeout(20ms) { fetch: sleep 5ms; parse: work 5ms }
      expect outcome == success
      """,
      """
      timeout(5ms) { fetch: sleep 50ms }
      expect outcome == failure
      expect makespan < 50ms
      """,
      """
      timeout(5ms, value: "nothing new") { fetch: sleep 50ms }
      expect value == "nothing new"
      """,
    ])

  private let limit: Duration
  private let value: Value?

  init(_ arguments: Arguments) throws {
    limit = try arguments.duration("limit")
    value = arguments["value"]
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let chain = scope.calledOffUnused { $0.chain(of: steps, input: input) }
    let limited: Promise<Value, any Error> =
      if let value {
        chain.timeoutOrNil(limit).unwrap(orReplace: value)
      } else {
        chain.timeout(
          limit, orError: StepFailure("not through within \(limit.shortDescription)"))
      }
    scope.complete(completion, with: limited, isPrompt: true)
  }
}
