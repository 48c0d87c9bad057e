import AsyncPatterns
import SerialQueue

/// Steps that run in parallel: each gets the same input, and the result is the list of their values in step order.
final class StepsSideBySide: StepFlow {
  private struct State: Sendable {
    var values: [Value?]
    var failure: (any Error)?
  }

  static let isSequence = false

  let steps: [Step]
  private let input: Value
  /// The scope of the pattern.
  let scope: Scope
  private let continuesAfterFailure: Bool
  private let state: Locked<State>

  /// - Parameter continuesAfterFailure: whether steps still start after a failure.
  init(_ steps: [Step], input: Value, in scope: Scope, continuesAfterFailure: Bool) {
    self.steps = steps
    self.input = input
    self.scope = scope
    self.continuesAfterFailure = continuesAfterFailure
    state = Locked(State(values: Array(repeating: nil, count: steps.count)))
  }

  var result: Result<Value, any Error> {
    state.withLock { state in
      state.failure.map { .failure($0) } ?? .success(.list(state.values.map { $0 ?? .none }))
    }
  }

  func record(_ result: Result<Value, any Error>, of index: Int) -> Bool {
    state.withLock { state in
      switch result {
      case .success(let value): state.values[index] = value
      case .failure(let error): state.failure = state.failure ?? error
      }
      return state.failure == nil || continuesAfterFailure
    }
  }

  func input(of index: Int) -> Value? {
    state.withLock { state in
      if state.failure == nil, scope.isCancelled { state.failure = CancellationError() }
      return state.failure == nil || continuesAfterFailure && !scope.isCancelled ? input : nil
    }
  }
}
