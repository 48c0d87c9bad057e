import AsyncPatterns
import SerialQueue

/// How values flow between steps, and how the failure of a step affects the others. The pattern decides when each step
/// starts.
protocol StepFlow: Sendable {
  /// Whether the steps run one after another.
  static var isSequence: Bool { get }

  var steps: [Step] { get }

  /// The input of a step that is about to start. Nil if the pattern was cancelled, or an earlier failure stops the
  /// steps: then no further step may start.
  func input(of index: Int) -> Value?

  /// Records the result of a step.
  ///
  /// - Returns: whether the following steps may still start.
  func record(_ result: Result<Value, any Error>, of index: Int) -> Bool

  /// The result of all steps that have ended.
  var result: Result<Value, any Error> { get }

  /// The scope of the pattern.
  var scope: Scope { get }
}

/// Steps that run one after another: each one's value is the next one's input.
final class StepSequence: StepFlow {
  private struct State: Sendable {
    var latest: Value
    var failure: (any Error)?
  }

  static let isSequence = true

  let steps: [Step]
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

  /// Starts a step, if it may start.
  ///
  /// - Parameter then: called when the step has ended, or immediately if it does not start. Its argument says whether
  ///   the following steps may still start.
  func start(_ index: Int, then: @escaping @Sendable (_ continues: Bool) -> Void) {
    guard let input = input(of: index) else { return then(false) }
    scope.start(steps[index], input: input) { [self] result in then(record(result, of: index)) }
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

  func input(of index: Int) -> Value? {
    state.withLock { state in
      // A step may ignore the cancellation and succeed.
      if state.failure == nil, scope.isCancelled { state.failure = CancellationError() }
      guard state.failure == nil || continuesAfterFailure && !scope.isCancelled else { return nil }
      return state.latest
    }
  }
}
