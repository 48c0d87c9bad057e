import AsyncPatterns
import AsyncSimulation
import Composing
import PlaygroundLanguage
import TimingTrace
import WhatIf

/// Starts its steps at the same time. The first failure cancels the others.
struct Together: AsyncPattern {
  static let manual = Manual(name: "together", summary: "", flow: .sideBySide)
  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let scope = scope.cancellable()
    let state = Locked((open: steps.count, failure: (any Error)?.none))
    if steps.isEmpty { return completion(.success(.none)) }
    for step in steps {
      scope.start(step, input: input) { result in
        if case .failure(let error) = result {
          state.withLock { $0.failure = $0.failure ?? error }
          scope.cancel()
        }
        let (open, failure) = state.withLock { state in
          state.open -= 1
          return state
        }
        guard open == 0 else { return }
        completion(failure.map { .failure($0) } ?? .success(.none))
      }
    }
  }
}

/// Starts its step until it succeeds, at most three times.
struct Again: AsyncPattern {
  static let manual = Manual(name: "again", summary: "", steps: .exactly(1))
  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) { attempt(steps[0], 3, input, scope, completion) }

  private func attempt(
    _ step: Step, _ left: Int, _ input: Value, _ scope: Scope, _ completion: @escaping Completion
  ) {
    scope.start(step, input: input) { result in
      if case .failure = result, left > 1 {
        attempt(step, left - 1, input, scope, completion)
      } else {
        completion(result)
      }
    }
  }
}

/// Ends with the first of its steps and cancels the others.
struct First: AsyncPattern {
  static let manual = Manual(name: "first", summary: "", flow: .sideBySide)
  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    let scope = scope.cancellable()
    let hasResult = Locked(false)
    for step in steps {
      scope.start(step, input: input) { result in
        let isFirst = hasResult.withLock { hasResult in
          defer { hasResult = true }
          return !hasResult
        }
        guard isFirst else { return }
        scope.cancel()
        completion(result)
      }
    }
  }
}

/// `Together` for steps that support only the live clock.
struct LiveTogether: AsyncPattern {
  static let manual = Manual(name: "live.together", summary: "", clocks: [.live])
  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) { Together(Arguments()).start(steps, input: input, in: scope, completion: completion) }
}

/// A step for made-up recordings, in which it works, blocks a thread or waits. Its own code does none of this.
struct Mixed: AsyncPattern {
  static let manual = Manual(name: "mixed", summary: "", steps: .none, clocks: [.live])
  init(_ arguments: Arguments) {}

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) { completion(.success(.none)) }
}
