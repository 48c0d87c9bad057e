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
  static let isSequence = true

  let steps: [Step]
  /// The scope of the pattern.
  let scope: Scope
  private let state: Locked<SequenceState>

  /// - Parameter continuesAfterFailure: whether the steps after a failure run too.
  init(_ steps: [Step], input: Value, in scope: Scope, continuesAfterFailure: Bool = false) {
    self.steps = steps
    self.scope = scope
    state = Locked(SequenceState(input, continuesAfterFailure: continuesAfterFailure))
  }

  var result: Result<Value, any Error> { state.withLock { $0.result } }

  /// Starts a step, if it may start.
  ///
  /// - Parameter then: called when the step has ended, or immediately if it does not start. Its argument says whether
  ///   the following steps may still start.
  func start(_ index: Int, then: @escaping @Sendable (_ continues: Bool) -> Void) {
    guard let input = input(of: index) else { return then(false) }
    scope.start(steps[index], input: input) { [self] result in then(record(result, of: index)) }
  }

  func record(_ result: Result<Value, any Error>, of index: Int) -> Bool {
    state.withLock { $0.record(result) }
  }

  func input(of index: Int) -> Value? { state.withLock { $0.input(in: scope) } }
}

/// The same sequence as the items of a serial queue without a timeout. It takes no lock.
final class QueuedStepSequence: StepFlow, @unchecked Sendable {
  // Safe to share: only the items of one serial queue use `state`. The kernel lets each step complete once, which ends
  // its item. By the lock of the queue, that end comes before the start of the next item. It also comes before the handler
  // that reads the result. For the same reason, accesses need no exclusivity check at run time.
  @exclusivity(unchecked) private var state: SequenceState

  static let isSequence = true

  let steps: [Step]
  let scope: Scope

  init(_ steps: [Step], input: Value, in scope: Scope, continuesAfterFailure: Bool) {
    self.steps = steps
    self.scope = scope
    state = SequenceState(input, continuesAfterFailure: continuesAfterFailure)
  }

  var result: Result<Value, any Error> { state.result }

  func record(_ result: Result<Value, any Error>, of index: Int) -> Bool { state.record(result) }

  func input(of index: Int) -> Value? { state.input(in: scope) }
}

/// The value and the failure that a sequence has produced so far.
private struct SequenceState: Sendable {
  private var latest: Value
  private var failure: (any Error)?
  private let continuesAfterFailure: Bool

  init(_ input: Value, continuesAfterFailure: Bool) {
    latest = input
    self.continuesAfterFailure = continuesAfterFailure
  }

  var result: Result<Value, any Error> { failure.map { .failure($0) } ?? .success(latest) }

  mutating func record(_ result: Result<Value, any Error>) -> Bool {
    // A failure stays, even if a step that completes twice reports a success later.
    guard failure == nil || continuesAfterFailure else { return false }
    switch result {
    case .success(let value): latest = value
    case .failure(let error): failure = failure ?? error
    }
    return failure == nil || continuesAfterFailure
  }

  mutating func input(in scope: Scope) -> Value? {
    // A step may ignore the cancellation and succeed.
    if failure == nil, scope.isCancelled { failure = CancellationError() }
    guard failure == nil || continuesAfterFailure && !scope.isCancelled else { return nil }
    return latest
  }
}
