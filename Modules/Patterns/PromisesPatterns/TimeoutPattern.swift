import AsyncPatterns
import Promises

/// `timeout`: a chain of steps with a time limit.
struct TimeoutPattern: AsyncPattern {
  static let manual = Manual(
    name: "timeout",
    summary: "Chains its steps with “then”, and fails if they take longer than a limit.",
    discussion: """
      The steps run one after another, like those of promise. If they have not ended in time, the \
      timeout fails immediately, and the running step is cancelled. Otherwise its timer is \
      released, and a failure of a step is the timeout's failure. With “value”, a timeout yields \
      that value instead of a failure.

      The trap of other libraries: the timer keeps running until its end, and retains everything \
      that belongs to the promise. So a thousand quick requests with a timeout of a minute leave a \
      thousand timers. On the virtual clock such a timer makes the run longer.
      """,
    parameters: [
      Parameter("limit", .duration, isRequired: true, summary: "how long the steps may take"),
      Parameter(
        "value", .value, summary: "the result if they take longer; a failure unless given"),
    ],
    failure: .own, ordering: .keepsOrder,
    differsFrom: "race, which has no time limit of its own, and runs its steps in parallel",
    seeAlso: ["race", "retry", "delay", "promise"],
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
    let chain = scope.cancelledWhenUnused { $0.chain(of: steps, input: input) }
    let limited: Promise<Value, any Error> =
      if let value {
        chain.timeoutOrNil(limit).unwrap(orReplace: value)
      } else {
        chain.timeout(
          limit, orError: TimedOut(Self.work(of: steps), after: limit))
      }
    scope.complete(completion, with: limited, isPrompt: true)
  }

  /// The labels of the first and the last step.
  private static func work(of steps: [Step]) -> String {
    guard let first = steps.first, let last = steps.last, steps.count > 1 else {
      return steps.first?.label ?? manual.name
    }
    return "\(first.label) … \(last.label)"
  }
}
