import AsyncPatterns
import Promises

/// `retry`: a chain of steps that starts again when it fails.
struct RetryPattern: AsyncPattern {
  static let manual = Manual(
    name: "retry",
    summary: "Chains its steps with “then”, and starts again if one fails, up to a limit.",
    discussion: """
      The steps run one after another, like those of promise. If one fails, all start again, after \
      a delay if there is one. After “count” starts, the last failure is the result. Cancelling \
      ends a delay immediately, and does not cause another start.

      Each delay is the previous one times “backoff”, up to “limit”. Clients that failed together \
      and wait equally long fail together again: “jitter” makes the second half of the delay, or \
      all of it, random. On the virtual clock the random values are the same in each run.

      The traps of other libraries: “three times” means three starts in one and four in another; \
      the delay grows without a limit; and a cancellation counts as a failure, so that cancelled \
      work starts again.
      """,
    parameters: [
      Parameter(
        "count", .integer(1...Int.max), isRequired: true, summary: "the largest number of starts"),
      Parameter(
        "delay", .duration, default: .duration(.zero), summary: "how long before the second start"),
      Parameter(
        "backoff", .real, default: .real(1),
        summary: "what the delay is multiplied by each time, at least 1"),
      Parameter("limit", .duration, summary: "the longest delay, before jitter"),
      Parameter(
        "jitter", .word(["none", "half", "full"]), default: .string("none"),
        summary: "which part of a delay is random"),
    ],
    failure: .own, ordering: .keepsOrder, breaks: [.startsNoStepTwice],
    differsFrom: "recover, which tries another step after a failure, not the same ones again",
    seeAlso: ["recover", "timeout", "promise"],
    examples: [
      """
      retry(3, delay: 10ms, backoff: 2) { fetch: fail "busy" }
      expect count fetch == 3
      expect outcome == failure
      """,
      "retry(5, delay: 10ms, backoff: 2, limit: 50ms, jitter: half) { fetch: sleep 5ms }",
    ])

  private let count: Int
  private let backoff: Backoff

  init(_ arguments: Arguments) throws {
    count = try arguments.integer("count")
    guard let jitter = Backoff.Jitter(rawValue: try arguments.string("jitter")) else {
      throw ArgumentError("“jitter” takes none, half or full", parameter: "jitter")
    }
    let factor = try arguments.real("backoff")
    guard factor >= 1 else {
      throw ArgumentError(
        "“backoff” takes a number from 1, not \(factor): shrinking delays would increase the load on a "
          + "busy service", parameter: "backoff")
    }
    var backoff = Backoff(try arguments.duration("delay"), factor: factor, jitter: jitter)
    if arguments["limit"] != nil { backoff.limit = try arguments.duration("limit") }
    self.backoff = backoff
  }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let result = scope.untraced {
      Promise<Value, any Error>.retry(
        count, backoff: backoff, on: .inline, runtime: scope.runtime,
        while: { _ in !scope.isCancelled },
        { _ in scope.cancelledWhenUnused { $0.chain(of: steps, input: input) } })
    }
    scope.complete(completion, with: result, isPrompt: true)
  }
}
