import AsyncPatterns
import SerialQueue

/// How values flow between steps, and what a failure does to them. The pattern decides when each step starts.
protocol StepFlow: Sendable {
  /// Starts a step, unless the pattern was cancelled, or an earlier failure stops the steps.
  ///
  /// - Parameters:
  ///   - scope: starts the step. It is the scope of the pattern, or one below it. If the latter is cancelled alone, a
  ///     later result of the step is ignored.
  ///   - then: called when the step has ended, or immediately if it does not start. Its argument says whether the
  ///     following steps may still start.
  func start(
    _ index: Int, in scope: Scope, then: @escaping @Sendable (_ continues: Bool) -> Void)

  /// Records the result of a step.
  ///
  /// - Returns: whether the following steps may still start.
  func record(_ result: Result<Value, any Error>, of index: Int) -> Bool

  /// The result of all steps that have ended.
  var result: Result<Value, any Error> { get }

  /// The scope of the pattern.
  var scope: Scope { get }
}

extension StepFlow {
  /// Whether the step timed out. If so, the timeout has been recorded as its result.
  func isLate(in scope: Scope) -> Bool { scope.isCancelled && !self.scope.isCancelled }
}

/// Steps that run one after another: each one's value is the next one's input.
final class StepSequence: StepFlow {
  private struct State: Sendable {
    var latest: Value
    var failure: (any Error)?
  }

  private let steps: [Step]
  /// The scope of the pattern.
  let scope: Scope
  private let continuesAfterFailure: Bool
  private let state: Locked<State>

  /// - Parameter continuesAfterFailure: whether the steps after a failure run too.
  init(_ steps: [Step], input: Value, in scope: Scope, continuesAfterFailure: Bool = false) {
    self.steps = steps
    self.scope = scope
    self.continuesAfterFailure = continuesAfterFailure
    state = Locked(State(latest: input))
  }

  var result: Result<Value, any Error> {
    state.withLock { state in state.failure.map { .failure($0) } ?? .success(state.latest) }
  }

  func start(
    _ index: Int, in scope: Scope, then: @escaping @Sendable (_ continues: Bool) -> Void
  ) {
    guard let input = inputOfNext() else { return then(false) }
    scope.start(steps[index], input: input) { [self] result in
      then(isLate(in: scope) || record(result, of: index))
    }
  }

  func start(_ index: Int, then: @escaping @Sendable (_ continues: Bool) -> Void) {
    start(index, in: scope, then: then)
  }

  func record(_ result: Result<Value, any Error>, of index: Int) -> Bool {
    state.withLock { state in
      // A failure stays, even if a step that completes twice reports a success later.
      guard state.failure == nil || continuesAfterFailure else { return false }
      switch result {
      case .success(let value): state.latest = value
      case .failure(let error): state.failure = state.failure ?? error
      }
      return state.failure == nil || continuesAfterFailure
    }
  }

  /// The input of a step that is about to start; nil if no further step may start.
  private func inputOfNext() -> Value? {
    state.withLock { state in
      // A step may ignore the cancellation and succeed.
      if state.failure == nil, scope.isCancelled { state.failure = CancellationError() }
      guard state.failure == nil || continuesAfterFailure && !scope.isCancelled else { return nil }
      return state.latest
    }
  }
}
