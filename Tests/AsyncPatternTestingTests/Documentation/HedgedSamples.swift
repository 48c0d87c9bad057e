// Hedged.swift
import AsyncPatterns

struct Hedged: AsyncPattern {
  static let manual = Manual(
    name: "hedged",
    summary: "Starts the next alternative if one is slow; the first success is the result.",
    discussion: """
      The first step starts immediately. The next one starts when “delay” has passed, or when \
      every step that has started has failed. The first success is the result, and cancels the \
      other steps. If all steps fail, the last failure is the result.

      The trap: a delay near the usual time of a step doubles the load on a service. Choose one \
      that few steps exceed.
      """,
    parameters: [
      Parameter(
        "delay", .duration, isRequired: true,
        summary: "how long to wait before the next step starts")
    ],
    steps: .atLeast(1), flow: .sideBySide, failure: .firstSuccess,
    examples: [
      """
      hedged(10ms) { 2 * sleep 30ms }
      expect makespan == 30ms
      """,
      """
      hedged(10ms) { near: never; far: sleep 5ms }
      expect makespan == 15ms
      """,
    ])

  private let delay: Duration

  init(_ arguments: Arguments) throws { delay = try arguments.duration("delay") }

  func start(
    _ steps: [Step], input: Value, in scope: Scope, completion: @escaping Completion
  ) {
    // The winner cancels the others through a scope of their own.
    Hedge(steps, input, delay, scope.cancellable(), completion).begin()
  }
}

/// One run of the pattern.
private final class Hedge: Sendable {
  private struct State {
    var waiting: ArraySlice<Step>
    var runningCount = 0
    var timer: (any Cancellable)?
    /// Nil once the pattern has completed.
    var completion: Completion?

    /// The next step. It counts as running from now on.
    mutating func next() -> Step? {
      guard completion != nil, let step = waiting.popFirst() else { return nil }
      runningCount += 1
      return step
    }
  }

  private let state: Locked<State>
  private let input: Value
  private let delay: Duration
  private let scope: Scope

  init(
    _ steps: [Step], _ input: Value, _ delay: Duration, _ scope: Scope,
    _ completion: @escaping Completion
  ) {
    state = Locked(State(waiting: steps[...], completion: completion))
    self.input = input
    self.delay = delay
    self.scope = scope
  }

  func begin() {
    if let step = state.withLock({ $0.next() }) { start(step) }
  }

  private func start(_ step: Step) {
    let timer = scope.runtime.pool.schedule(after: delay) { self.hedge() }
    let unneeded = state.withLock { state -> (any Cancellable)? in
      guard state.completion != nil, !state.waiting.isEmpty else { return timer }
      defer { state.timer = timer }
      return state.timer
    }
    unneeded?.cancel()
    scope.start(step, input: input) { self.end($0) }
  }

  /// The delay has passed, and no step has succeeded.
  private func hedge() {
    if let step = state.withLock({ scope.isCancelled ? nil : $0.next() }) { start(step) }
  }

  private func end(_ result: Result<Value, any Error>) {
    enum Action {
      case wait
      case start(Step)
      case complete(Completion, (any Cancellable)?)
    }
    let action = state.withLock { state -> Action in
      guard let completion = state.completion else { return .wait }
      state.runningCount -= 1
      if case .failure = result {
        if state.runningCount > 0 { return .wait }
        if !scope.isCancelled, let step = state.next() { return .start(step) }
      }
      defer { state.completion = nil }
      return .complete(completion, state.timer)
    }
    // Acts after the lock is released: each of these calls runs code of others.
    switch action {
    case .wait: break
    case .start(let step): start(step)
    case .complete(let completion, let timer):
      timer?.cancel()
      scope.cancel()
      completion(result)
    }
  }
}

struct HedgedPlugin: Plugin {
  static let name = "Hedged"
  static let summary = "Starts slow work a second time."
  static let patterns: [any AsyncPattern.Type] = [Hedged.self]
}
