import AsyncPatterns
import SerialQueue

/// How values flow between steps, and what a failure does to them: which step comes when is the pattern's to
/// say.
protocol StepFlow: Sendable {
  /// Starts a step, unless all is called off, or a step has failed before and that is the end.
  ///
  /// - Parameters:
  ///   - scope: what the step is started through: that of the whole, or one below it. If that one is
  ///     cancelled alone, what the step says after it does not count.
  ///   - then: called when it has ended, or at once if it does not start; tells whether the steps after it
  ///     may still start.
  func start(
    _ index: Int, in scope: Scope, then: @escaping @Sendable (_ goesOn: Bool) -> Void)

  /// Takes down what became of a step.
  ///
  /// - Returns: whether the steps after it may still start.
  func record(_ result: Result<Value, any Error>, of index: Int) -> Bool

  /// What the steps that have ended made of the input.
  var result: Result<Value, any Error> { get }

  /// The scope of the whole.
  var scope: Scope { get }
}

extension StepFlow {
  /// Whether the time of a step was over, and that has been taken down.
  func isLate(in scope: Scope) -> Bool { scope.isCancelled && !self.scope.isCancelled }
}

/// Steps one after another: each one's value is the next one's input.
final class StepSequence: StepFlow {
  private struct State: Sendable {
    var latest: Value
    var failure: (any Error)?
  }

  private let steps: [Step]
  /// The scope of the whole.
  let scope: Scope
  private let goesOn: Bool
  private let state: Locked<State>

  /// - Parameter goesOn: whether the steps after one that fails run, too.
  init(_ steps: [Step], input: Value, in scope: Scope, goesOn: Bool = false) {
    self.steps = steps
    self.scope = scope
    self.goesOn = goesOn
    state = Locked(State(latest: input))
  }

  var result: Result<Value, any Error> {
    state.withLock { state in state.failure.map { .failure($0) } ?? .success(state.latest) }
  }

  func start(
    _ index: Int, in scope: Scope, then: @escaping @Sendable (_ goesOn: Bool) -> Void
  ) {
    guard let input = inputOfNext() else { return then(false) }
    scope.start(steps[index], input: input) { [self] result in
      then(isLate(in: scope) || record(result, of: index))
    }
  }

  func start(_ index: Int, then: @escaping @Sendable (_ goesOn: Bool) -> Void) {
    start(index, in: scope, then: then)
  }

  func record(_ result: Result<Value, any Error>, of index: Int) -> Bool {
    state.withLock { state in
      // A failure stays, whatever a step that ends twice may say after it.
      guard state.failure == nil || goesOn else { return false }
      switch result {
      case .success(let value): state.latest = value
      case .failure(let error): state.failure = state.failure ?? error
      }
      return state.failure == nil || goesOn
    }
  }

  /// The input of a step that is about to start; nil if none may start any more.
  private func inputOfNext() -> Value? {
    state.withLock { state in
      // A step need not heed the cancellation: it may have succeeded.
      if state.failure == nil, scope.isCancelled { state.failure = CancellationError() }
      guard state.failure == nil || goesOn && !scope.isCancelled else { return nil }
      return state.latest
    }
  }
}
