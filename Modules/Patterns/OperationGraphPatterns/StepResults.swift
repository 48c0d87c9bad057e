import AsyncPatterns
import OperationGraph

/// What steps side by side come to, each at its own place.
final class StepResults: Sendable {
  private struct State {
    var values: [Value?]
    var failure: (any Error)?
  }

  private let state: Locked<State>

  init(_ count: Int) {
    state = Locked(State(values: Array(repeating: nil, count: count), failure: nil))
  }

  /// Takes down how the step at `index` ended, unless it is known.
  func set(_ result: Result<Value, any Error>, at index: Int) {
    state.withLock { state in
      switch result {
      case .success(let value): state.values[index] = state.values[index] ?? value
      case .failure(let error): state.failure = state.failure ?? error
      }
    }
  }

  var hasFailure: Bool { state.withLock { $0.failure != nil } }

  /// The first failure in time; else the values in step order, nothing where there is none.
  var combined: Result<Value, any Error> {
    state.withLock { state in
      state.failure.map { .failure($0) } ?? .success(.list(state.values.map { $0 ?? .none }))
    }
  }
}
