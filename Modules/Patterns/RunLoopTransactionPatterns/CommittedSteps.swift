import AsyncPatterns
import RunLoopTransaction

/// Steps that are committed as transactions, one per key, and started when the transactions are performed.
///
/// Steps with the same key are one transaction. The step that was committed last starts, and its result is the result
/// of all of them.
final class CommittedSteps: Sendable {
  /// Commits the transaction of a step. Returns a failure if the commit is refused.
  typealias Commit =
    @Sendable (_ target: CommittedStep, _ index: Int) -> StepFailure?

  private struct State: Sendable {
    var values: [Value?]
    var failure: (any Error)?
    var left: Int
    var onEnd: (@Sendable (Result<Value, any Error>) -> Void)?
  }

  private let steps: [Step]
  private let targets: [CommittedStep]
  private let input: Value
  private let scope: Scope
  private let state: Locked<State>
  private let registration = Locked<Cancellation.Registration?>(nil)

  /// - Parameter onEnd: called once, when all steps have ended.
  init(
    _ steps: [Step], input: Value, in scope: Scope,
    onEnd: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) {
    self.steps = steps
    self.input = input
    self.scope = scope
    var known: [String: CommittedStep] = [:]
    targets = steps.map { step in
      guard case .string(let key)? = step.options["key"] else {
        return CommittedStep(key: step.label)
      }
      let target = known[key] ?? CommittedStep(key: key)
      known[key] = target
      return target
    }
    state = Locked(
      State(values: Array(repeating: nil, count: steps.count), left: steps.count, onEnd: onEnd))
  }

  /// Commits every step, on the lanes that `place` specifies.
  func commitAll(from place: CommitPlace, _ commit: @escaping Commit) {
    guard !steps.isEmpty else { return end(.success(.list([]))) }
    let registration = scope.onCancel { self.cancelWaiting() }
    self.registration.withLock { $0 = registration }
    switch place {
    case .caller: commitAll(commit)
    case .main: scope.runtime.main.schedule { self.commitAll(commit) }
    case .pool:
      for index in steps.indices {
        scope.runtime.pool.schedule { self.commit(index, commit) }
      }
    }
  }

  private func commitAll(_ commit: Commit) {
    for index in steps.indices { self.commit(index, commit) }
  }

  private func commit(_ index: Int, _ commit: Commit) {
    let target = targets[index]
    target.waiting.withLock { $0.append(index) }
    // Checked after the step is added to `waiting`: a cancellation in between is noticed either here or by its handler.
    guard !scope.isCancelled else { return cancelWaiting() }
    guard let refusal = commit(target, index) else { return }
    // Another lane may have committed a step with the same key. Its transaction may have taken this step already.
    if target.stopWaiting(index) { record(.failure(refusal), of: [index]) }
  }

  /// Records that a step waits for the end of the turn.
  func markCommitted(_ index: Int) {
    scope.mark("committed", steps[index].label, role: .committed)
  }

  /// Starts a step on the main lane, on which the caller runs. Its result is the result of all steps in `group`.
  func start(_ index: Int, for group: [Int]) {
    let context = LaneContext.current
    // A commit by the step, or by code after it, must not count as a commit by the transaction's action.
    context.performOutsideTransactions {
      // Also runs the code that the step has deferred. The time of that code counts as the transaction's, too.
      context.performNested {
        scope.startOnMain(steps[index], input: input) { self.record($0, of: group) }
      }
    }
  }

  /// Adds something that must end before the pattern ends. It ends with a call of `end()` or `end(failing:)`.
  func begin() { state.withLock { $0.left += 1 } }

  /// Records that something added by `begin()` has ended.
  func end() { settle(1) { _ in } }

  /// Records that something added by `begin()` has failed.
  func end(failing error: any Error) { settle(1) { $0 = $0 ?? error } }

  private func cancelWaiting() {
    let waiting = targets.flatMap { $0.takeWaiting() }
    record(.failure(CancellationError()), of: waiting)
  }

  private func record(_ result: Result<Value, any Error>, of group: [Int]) {
    guard !group.isEmpty else { return }
    if case .success(let value) = result {
      state.withLock { state in for index in group { state.values[index] = value } }
    }
    settle(group.count) { failure in
      if case .failure(let error) = result { failure = failure ?? error }
    }
  }

  private func settle(_ count: Int, _ note: (inout (any Error)?) -> Void) {
    let ended = state.withLock { state -> Result<Value, any Error>? in
      note(&state.failure)
      state.left -= count
      guard state.left == 0 else { return nil }
      return state.failure.map { .failure($0) }
        ?? .success(.list(state.values.map { $0 ?? .none }))
    }
    if let ended { end(ended) }
  }

  private func end(_ result: Result<Value, any Error>) {
    registration.withLock { $0 }?.dispose()
    let onEnd = state.withLock { state in
      defer { state.onEnd = nil }
      return state.onEnd
    }
    LaneContext.current.performOutsideTransactions { onEnd?(result) }
  }
}

/// The target of the transaction that steps with the same key share.
final class CommittedStep: Sendable, ReportedTarget {
  static func subject(_ key: String) -> String { "step \(key)" }

  let key: String
  /// The steps that were committed and whose transaction has not been performed yet.
  fileprivate let waiting = Locked<[Int]>([])
  /// The step that commits the transaction again each time the transaction is performed. `turns` is how often this has
  /// happened since the step was set.
  private let repetition = Locked<(index: Int, turns: Int)?>(nil)

  init(key: String) { self.key = key }

  /// Removes and returns the waiting steps, in the order of their commits.
  func takeWaiting() -> [Int] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  /// Sets the step that commits the transaction again each time the transaction is performed; nil for none.
  ///
  /// - Returns: whether there was such a step before.
  func `repeat`(_ index: Int?) -> Bool {
    repetition.withLock { repetition in
      defer { repetition = index.map { (index: $0, turns: 0) } }
      return repetition != nil
    }
  }

  /// Counts another turn of the step that commits the transaction again, if there is one.
  func nextRepetition() -> (index: Int, turns: Int)? {
    repetition.withLock { repetition in
      repetition?.turns += 1
      return repetition
    }
  }

  /// Removes the step from the waiting ones. Returns whether it was waiting.
  fileprivate func stopWaiting(_ index: Int) -> Bool {
    waiting.withLock { waiting in
      guard let place = waiting.firstIndex(of: index) else { return false }
      waiting.remove(at: place)
      return true
    }
  }
}

/// The lanes on which steps are committed.
enum CommitPlace: String, CaseIterable {
  /// The lane on which the pattern was started, in the order written.
  case caller
  /// In one job of the main lane, in the order written.
  case main
  /// Each in a separate job on the pool.
  case pool

  static let parameter = Parameter(
    "from", .word(allCases.map(\.rawValue)), default: .string(caller.rawValue),
    summary:
      "which lane commits: the lane on which the pattern starts, main, or a lane of the pool for "
      + "each step")

  init(_ arguments: Arguments) throws {
    let word = arguments["from"] == nil ? "" : try arguments.string("from")
    self = CommitPlace(rawValue: word) ?? .caller
  }
}
