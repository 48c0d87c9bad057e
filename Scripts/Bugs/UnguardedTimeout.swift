import AsyncPatterns

/// A completion that is called twice: by the result, and by the timeout that races with it.
public struct UnguardedTimeout: Plugin {
  public static let name = "UnguardedTimeout"
  public static let summary = "A timeout and a result that both call the completion."
  public static let patterns: [any AsyncPattern.Type] = [Unguarded.self, Guarded.self]
}

private let parameters = [
  Parameter(
    "limit", .duration, isRequired: true, summary: "how long the step may take")
]

/// `unguarded-timeout`: the result and the timer both call back.
struct Unguarded: AsyncPattern {
  static let manual = Manual(
    name: "unguarded-timeout",
    summary: "Fails when its step takes longer than “limit”, and completes again when it ends.",
    discussion: """
      A timer calls back with a failure; the result cancels the timer and calls back, too. It \
      seems that only one of them can come. But a timer that has fired cannot be cancelled: the \
      step keeps running, and its result, a success or a failure, is delivered as well.

      The fix: send both through one guard that lets only the first call through, as in \
      unguarded-timeout.fixed, and stop the step, because its result is no longer needed.
      """,
    parameters: parameters, steps: .exactly(1), failure: .own, breaks: [.completesExactlyOnce],
    examples: ["unguarded-timeout(50ms) { answer: sleep 20ms }"])

  private let limit: Duration

  init(_ arguments: Arguments) throws { limit = try arguments.duration("limit") }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let timer = scope.runtime.pool.schedule(after: limit) {
      completion(.failure(TimedOut(steps[0].label, after: limit)))
    }
    scope.start(steps[0], input: input) { result in
      timer.cancel()
      completion(result)
    }
  }
}

/// `unguarded-timeout.fixed`: only the first of the two calls back.
struct Guarded: AsyncPattern {
  static let manual = Manual(
    name: "unguarded-timeout.fixed",
    summary: "Fails when its step takes longer than “limit”, and stops the step.",
    parameters: parameters, steps: .exactly(1), failure: .own,
    examples: ["unguarded-timeout.fixed(50ms) { answer: sleep 20ms }"])

  private let limit: Duration

  init(_ arguments: Arguments) throws { limit = try arguments.duration("limit") }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let step = scope.cancellable()
    let completion = Once(completion)
    let timer = scope.runtime.pool.schedule(after: limit) {
      completion.call(.failure(TimedOut(steps[0].label, after: limit)))
      step.cancel()
    }
    step.start(steps[0], input: input) { result in
      timer.cancel()
      completion.call(result)
    }
  }
}

/// Lets only the first call through, and then releases the completion.
private final class Once: Sendable {
  private let completion: Locked<Completion?>

  init(_ completion: @escaping Completion) { self.completion = Locked(completion) }

  func call(_ result: Result<Value, any Error>) {
    let first = completion.withLock { completion in
      defer { completion = nil }
      return completion
    }
    first?(result)
  }
}
