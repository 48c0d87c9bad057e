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

/// `unguarded-timeout`: whoever comes calls back.
struct Unguarded: AsyncPattern {
  static let manual = Manual(
    name: "unguarded-timeout",
    summary: "Fails when its step takes longer than “limit”, and completes again when that ends.",
    discussion: """
      A timer calls back with a failure, the result calls off the timer and calls back, too. That \
      looks as if only one of them could come. But a timer that has gone off is not called off: the \
      step goes on, and its result, be it a success or a failure, is delivered as well.

      The way out: one place through which both go, and that lets the first one through and nobody \
      else, as in unguarded-timeout.fixed; and stop the step that nobody waits for any more.
      """,
    parameters: parameters, steps: .exactly(1), failure: .own, breaks: [.completesExactlyOnce],
    examples: ["unguarded-timeout(50ms) { answer: sleep 20ms }"])

  private let limit: Duration

  init(_ arguments: Arguments) throws { limit = try arguments.duration("limit") }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let timer = scope.runtime.pool.schedule(after: limit) {
      completion(.failure(TimedOut(limit: limit)))
    }
    scope.start(steps[0], input: input) { result in
      timer.cancel()
      completion(result)
    }
  }
}

/// `unguarded-timeout.fixed`: the first one calls back.
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
      completion.call(.failure(TimedOut(limit: limit)))
      step.cancel()
    }
    step.start(steps[0], input: input) { result in
      timer.cancel()
      completion.call(result)
    }
  }
}

/// Lets the first call through, and lets go of the completion then.
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

private struct TimedOut: Error, CustomStringConvertible {
  let limit: Duration
  var description: String { "nothing after \(limit.shortDescription)" }
}
