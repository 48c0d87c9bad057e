import AsyncPatterns
import Promises

/// `retry`: a chain of steps that starts again when it fails.
struct RetryPattern: AsyncPattern {
  static let manual = Manual(
    name: "retry",
    summary: "Chains its steps with then, and begins again if one fails, up to so many times.",
    discussion: """
      The steps run one after another, as those of promise do. If one fails, all begin again, after \
      a delay if there is one; when there have been as many starts as there may be, the last failure is \
      the result. Cancelling ends a delay at once, and is no failure to be tried again.

      The delay is multiplied by “backoff” from each time to the next, up to “limit”. Those who failed \
      together and wait equally long fail together again: “jitter” leaves the second half of the wait, or \
      all of it, to chance. On the virtual clock chance is the same in each run.

      The traps of other libraries: “three times” means three starts here and four there; the delay \
      grows beyond all bounds; and a cancellation counts as a failure, so that what was stopped begins again.
      """,
    parameters: [
      Parameter(
        "count", .integer(1...Int.max), isRequired: true, summary: "how many starts at most"),
      Parameter(
        "delay", .duration, default: .duration(.zero), summary: "how long before the second start"),
      Parameter(
        "backoff", .real, default: .real(1),
        summary: "what the delay is multiplied by each time, at least 1"),
      Parameter("limit", .duration, summary: "the longest delay, before jitter"),
      Parameter(
        "jitter", .word(["none", "half", "full"]), default: .string("none"),
        summary: "which part of a delay is left to chance"),
    ],
    failure: .own, ordering: .keepsOrder, breaks: [.startsNoStepTwice],
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
        "“backoff” takes a number from 1, not \(factor): delays that shrink press hardest on what is busiest",
        parameter: "backoff")
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
        { _ in scope.calledOffUnused { $0.chain(of: steps, input: input) } })
    }
    scope.complete(completion, with: result, isPrompt: true)
  }
}
