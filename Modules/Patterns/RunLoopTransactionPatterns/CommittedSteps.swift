import AsyncPatterns
import RunLoopTransaction

/// Steps that are committed as transactions, one for each key, and started when those are performed.
///
/// Steps of one key are one transaction: the one that was committed last starts, and what becomes of it is the
/// result of all.
final class CommittedSteps: Sendable {
  /// Has a step's transaction performed some time, or says why it will not be.
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

  /// Commits every step, on the lanes that `place` says.
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
    // Told after what was to be waited for: what is cancelled in between is found by one of the two.
    guard !scope.isCancelled else { return cancelWaiting() }
    guard let refusal = commit(target, index) else { return }
    // Others of its key may have been committed elsewhere.
    if target.stopWaiting(index) { record(.failure(refusal), of: [index]) }
  }

  /// Tells the trace that a step waits for a turn.
  func markCommitted(_ index: Int) {
    scope.mark("committed", steps[index].label, role: .committed)
  }

  /// Starts a step on the main lane, where the caller is: what becomes of it is the result of all of `group`.
  func start(_ index: Int, for group: [Int]) {
    let context = LaneContext.current
    // What it starts, and what comes after it, is not committed by the transaction's own action.
    context.performOutsideTransactions {
      // Runs what it leaves behind as well, so that its time is the transaction's.
      context.performNested {
        scope.startOnMain(steps[index], input: input) { self.record($0, of: group) }
      }
    }
  }

  /// Something more is to end before all of it has.
  func begin() { state.withLock { $0.left += 1 } }

  /// What was begun has ended.
  func end() { settle(1) { _ in } }

  /// What was begun has failed.
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

/// What steps of one key have in common: the target of their transaction.
final class CommittedStep: Sendable, ReportedTarget {
  static func subject(_ key: String) -> String { "step \(key)" }

  let key: String
  /// The steps that have been committed and whose transaction has not been performed.
  fileprivate let waiting = Locked<[Int]>([])
  /// The step that says that the transaction is committed again, and how often it has been performed since.
  private let repetition = Locked<(index: Int, turns: Int)?>(nil)

  init(key: String) { self.key = key }

  /// Those that wait, in the order of their commits; from now on they wait no longer.
  func takeWaiting() -> [Int] {
    waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
  }

  /// From now on the step has the transaction committed again; none if it is nil.
  ///
  /// - Returns: whether one did so far.
  func `repeat`(_ index: Int?) -> Bool {
    repetition.withLock { repetition in
      defer { repetition = index.map { (index: $0, turns: 0) } }
      return repetition != nil
    }
  }

  /// One more turn of the step that has the transaction committed again, if there is one.
  func nextRepetition() -> (index: Int, turns: Int)? {
    repetition.withLock { repetition in
      repetition?.turns += 1
      return repetition
    }
  }

  /// Whether the step waited until now.
  fileprivate func stopWaiting(_ index: Int) -> Bool {
    waiting.withLock { waiting in
      guard let place = waiting.firstIndex(of: index) else { return false }
      waiting.remove(at: place)
      return true
    }
  }
}

/// On which lanes steps are committed.
enum CommitPlace: String, CaseIterable {
  /// Where the pattern was started, in the order written.
  case caller
  /// In one job of the main lane, in the order written.
  case main
  /// Each in a job of its own on the pool.
  case pool

  static let parameter = Parameter(
    "from", .word(allCases.map(\.rawValue)), default: .string(caller.rawValue),
    summary: "which lanes commit: the one it starts on, main, or one of the pool for each step")

  init(_ arguments: Arguments) throws {
    let word = arguments["from"] == nil ? "" : try arguments.string("from")
    self = CommitPlace(rawValue: word) ?? .caller
  }
}
