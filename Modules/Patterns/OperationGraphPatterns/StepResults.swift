import AsyncPatterns
import OperationGraph

/// The results of steps that run in parallel, each at its own position.
final class StepResults: Sendable {
  private struct State {
    var values: [Value?]
    var failure: (any Error)?
  }

  private let state: Locked<State>

  init(_ count: Int) {
    state = Locked(State(values: Array(repeating: nil, count: count), failure: nil))
  }

  /// Records the result of the step at `index`. Only its first value counts, and only the first failure of any step.
  func set(_ result: Result<Value, any Error>, at index: Int) {
    state.withLock { state in
      switch result {
      case .success(let value): state.values[index] = state.values[index] ?? value
      case .failure(let error): state.failure = state.failure ?? error
      }
    }
  }

  var hasFailure: Bool { state.withLock { $0.failure != nil } }

  /// The failure that occurred first, if any. Otherwise the values in the order of the steps, with `none` for each
  /// missing value.
  var combined: Result<Value, any Error> {
    state.withLock { state in
      state.failure.map { .failure($0) } ?? .success(.list(state.values.map { $0 ?? .none }))
    }
  }
}
