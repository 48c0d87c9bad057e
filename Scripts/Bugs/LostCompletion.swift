import AsyncPatterns

/// Completions that are never called: forgotten on a path, or kept in a list that never runs again.
public struct LostCompletion: Plugin {
  public static let name = "LostCompletion"
  public static let summary = "Completions that are never called, and the fixes."
  public static let patterns: [any AsyncPattern.Type] = [
    EarlyReturn.self, EarlyReturnFixed.self, LateHandler.self, LateHandlerFixed.self,
  ]
}

/// `early-return`: one step after another; a failure is not reported.
struct EarlyReturn: AsyncPattern {
  static let manual = Manual(
    name: "early-return",
    summary: "Runs its steps one after another, and forgets its completion when one fails.",
    discussion: """
      This is the most common bug with completion handlers: “guard let data else { return }”. The \
      expected path calls the completion, the other one returns, and the caller waits forever. \
      Here the kernel notices it, because the completion is released.

      The fix: every path calls the completion, as in early-return.fixed. Or use async functions, \
      where a path without a result does not compile.
      """,
    ordering: .keepsOrder, breaks: [.completesExactlyOnce, .deliversFailure],
    examples: ["early-return { fetch: sleep 20ms; parse: work 5ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    start(steps[...], input: input, in: scope, completion: completion)
  }

  private func start(
    _ steps: ArraySlice<Step>, input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    guard let first = steps.first else { return completion(.success(input)) }
    scope.start(first, input: input) { result in
      guard case .success(let value) = result, !scope.isCancelled else { return }
      start(steps.dropFirst(), input: value, in: scope, completion: completion)
    }
  }
}

/// `early-return.fixed`: a failure is reported, too.
struct EarlyReturnFixed: AsyncPattern {
  static let manual = Manual(
    name: "early-return.fixed",
    summary: "Runs its steps one after another, and completes on every path.",
    ordering: .keepsOrder,
    examples: ["early-return.fixed { fetch: sleep 20ms; parse: work 5ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    start(steps[...], input: input, in: scope, completion: completion)
  }

  private func start(
    _ steps: ArraySlice<Step>, input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    guard let first = steps.first else { return completion(.success(input)) }
    if scope.isCancelled { return completion(.failure(CancellationError())) }
    scope.start(first, input: input) { result in
      guard case .success(let value) = result else { return completion(result) }
      start(steps.dropFirst(), input: value, in: scope, completion: completion)
    }
  }
}

/// `late-handler`: a promise that is checked for a result, and only then given a handler.
struct LateHandler: AsyncPattern {
  static let manual = Manual(
    name: "late-handler",
    summary: "Resolves a promise with its first step, then runs the second, unless it is too late.",
    discussion: """
      “then” checks whether the promise has a result, and if it has none appends a handler. If the \
      promise is resolved in between, the handler joins a list that is never run again. Because \
      the handler holds its promise, like a continuation of BFTask, both stay in memory forever.

      The fix: check and append in one critical section, as BFTask does, or check again in the \
      section that appends, as late-handler.fixed does, and PromiseKit behind its barrier.
      """,
    steps: .exactly(2), ordering: .keepsOrder, breaks: [.completesExactlyOnce],
    examples: ["late-handler { request: sleep 20ms; use: work 5ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    Promise(checksAgain: false, in: scope)
      .run(steps[0], then: steps[1], input: input, completion: completion)
  }
}

/// `late-handler.fixed`: the promise is checked again where the handler is appended.
struct LateHandlerFixed: AsyncPattern {
  static let manual = Manual(
    name: "late-handler.fixed",
    summary: "Resolves a promise with its first step, and then runs the second.",
    steps: .exactly(2), ordering: .keepsOrder,
    examples: ["late-handler.fixed { request: sleep 20ms; use: work 5ms }"])

  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    Promise(checksAgain: true, in: scope)
      .run(steps[0], then: steps[1], input: input, completion: completion)
  }
}

/// A promise that keeps its result and its handlers on a serial queue.
private final class Promise: Sendable {
  private struct State {
    var result: Result<Value, any Error>?
    var handlers: [@Sendable () -> Void] = []
  }

  private let state = Locked(State())
  private let queue: any Scheduler
  private let checksAgain: Bool
  private let scope: Scope

  init(checksAgain: Bool, in scope: Scope) {
    queue = scope.runtime.serial("promise")
    self.checksAgain = checksAgain
    self.scope = scope
  }

  private var result: Result<Value, any Error>? { state.withLock { $0.result } }

  func resolve(_ result: Result<Value, any Error>) {
    queue.schedule { [self] in
      let handlers = state.withLock { state in
        defer { state.handlers = [] }
        state.result = result
        return state.handlers
      }
      scope.mark("resolve", "handlers: \(handlers.count)")
      for handler in handlers { handler() }
    }
  }

  func then(_ handler: @escaping Completion) {
    queue.schedule { [self] in
      if let result { return handler(result) }
      scope.mark("pending")
      queue.schedule { [self] in
        if checksAgain, let result { return handler(result) }
        scope.mark("append")
        state.withLock { state in
          state.handlers.append { if let result = self.result { handler(result) } }
        }
      }
    }
  }

  func run(
    _ first: Step, then second: Step, input: Value, completion: @escaping Completion
  ) {
    then { [scope] result in
      guard case .success(let value) = result else { return completion(result) }
      if scope.isCancelled { return completion(.failure(CancellationError())) }
      scope.start(second, input: value, completion: completion)
    }
    scope.runtime.pool.schedule { [self] in
      if scope.isCancelled { return resolve(.failure(CancellationError())) }
      scope.start(first, input: input) { self.resolve($0) }
    }
  }
}
