internal import AsyncRuntime

/// The state of an operation, of its dependencies, and of its dependents.
///
/// It only makes decisions. The caller carries them out after releasing the lock.
struct AsyncOperationState {
  typealias Outcome = AsyncOperation.Outcome
  typealias Observer = @Sendable (Outcome) -> Void

  enum Work: Sendable {
    case function(@Sendable () throws -> Void)
    case asynchronous(@Sendable () async throws -> Void)
    case callback(@Sendable (AsyncOperation.Done<Void>) -> Void)
  }

  private enum Phase {
    case pending
    case executing
    case finished(Outcome)
  }

  private struct Dependency {
    let operation: AsyncOperation
    /// The position of the dependency in the order of adding.
    let number: Int
    var requirement: AsyncOperation.Requirement
    /// How the dependency ended; nil before that.
    var outcome: Outcome?
  }

  struct WeakOperation { weak var operation: AsyncOperation? }

  /// The next step of an operation.
  enum Step {
    case nothing
    /// It is ready: it waits for a place in its queue, or starts now if it has no queue.
    case becomesReady(AsyncOperationHome)
    case ends(Ending)
  }

  /// The effects to carry out when an operation has ended.
  struct Ending {
    let outcome: Outcome
    var observers: [Observer] = []
    var dependents: [AsyncOperation] = []
    var home: AsyncOperationHome?
    /// The work to be released outside the lock, because this may run the user's code.
    var discarded: Work?
    var dependencies: [AsyncOperation] = []
  }

  private var phase = Phase.pending
  private var work: Work?
  private(set) var isCancelled = false
  private var dependencies: [ObjectIdentifier: Dependency] = [:]
  private var dependencyNumber = 0
  private var unfinishedCount = 0
  private var dependents: [WeakOperation] = []
  private var observers: [Observer] = []
  /// Where the operation runs, once that is known.
  private(set) var home: AsyncOperationHome?
  /// Whether it is being added to a queue or started.
  private var isComing = false
  /// Whether it was added to a queue, or started.
  private var hasCome = false
  /// Whether it waits for a place.
  private var isInLine = false
  /// The operation that this operation's work awaits in its own task.
  var awaited: AsyncOperation?

  init(_ work: Work) { self.work = work }

  var isReady: Bool { if case .pending = phase { unfinishedCount == 0 } else { false } }
  var isExecuting: Bool { if case .executing = phase { true } else { false } }
  var outcome: Outcome? { if case .finished(let outcome) = phase { outcome } else { nil } }
  private var isPending: Bool { if case .pending = phase { true } else { false } }

  /// The dependencies, in the order in which they were added.
  var allDependencies: [AsyncOperation] { inOrder.map(\.operation) }
  var unfinishedDependencies: [AsyncOperation] {
    unfinishedCount == 0 ? [] : inOrder.compactMap { $0.outcome == nil ? $0.operation : nil }
  }
  private var inOrder: [Dependency] { dependencies.values.sorted { $0.number < $1.number } }

  // MARK: Dependencies

  /// - Returns: whether the dependency is new (it may have ended already); nil if the operation can
  ///   no longer depend on it.
  mutating func addDependency(
    on other: AsyncOperation, _ requirement: AsyncOperation.Requirement
  ) -> Bool? {
    guard isPending else { return nil }
    let id = ObjectIdentifier(other)
    guard dependencies[id] == nil else {
      // Requiring success includes requiring the end.
      if requirement == .success { dependencies[id]?.requirement = .success }
      return false
    }
    dependencyNumber += 1
    dependencies[id] = Dependency(
      operation: other, number: dependencyNumber, requirement: requirement)
    unfinishedCount += 1
    return true
  }

  mutating func removeDependency(on other: AsyncOperation) -> Bool {
    guard isPending, let removed = dependencies.removeValue(forKey: ObjectIdentifier(other))
    else { return false }
    if removed.outcome == nil { unfinishedCount -= 1 }
    return true
  }

  var hasDependents: Bool { !dependents.isEmpty }

  /// Adds an operation that comes after this one.
  ///
  /// - Returns: how this one ended, if it has.
  mutating func addDependent(_ operation: AsyncOperation) -> Outcome? {
    if let outcome { return outcome }
    dependents.append(WeakOperation(operation: operation))
    return nil
  }

  mutating func dependencyFinished(_ other: AsyncOperation, _ outcome: Outcome) {
    let id = ObjectIdentifier(other)
    guard let dependency = dependencies[id], dependency.outcome == nil else { return }
    dependencies[id]?.outcome = outcome
    unfinishedCount -= 1
  }

  mutating func takeDependencies() -> [AsyncOperation] {
    defer { dependencies = [:] }
    return dependencies.values.map(\.operation)
  }

  // MARK: Starting and ending

  /// Reserves the operation, so that it can be added to a queue or started. Returns false if it is already reserved,
  /// was added, or was started.
  mutating func reserve() -> Bool {
    guard !hasCome, !isComing else { return false }
    isComing = true
    return true
  }

  mutating func unreserve() { isComing = false }

  mutating func settle(in home: AsyncOperationHome) {
    isComing = false
    hasCome = true
    if outcome == nil { self.home = home }
  }

  /// - Returns: whether this call cancelled it.
  mutating func cancel() -> Bool {
    guard !isCancelled, outcome == nil else { return false }
    isCancelled = true
    return true
  }

  /// Decides the next step of an operation that is not executing.
  mutating func evaluate() -> Step {
    guard isPending, unfinishedCount == 0 else { return .nothing }
    if isCancelled { return .ends(finish(.cancelled)) }
    guard let home else { return .nothing }
    if let refusal { return .ends(finish(refusal)) }
    guard !isInLine else { return .nothing }
    isInLine = true
    return .becomesReady(home)
  }

  /// How it ends without having run, if it can no longer run.
  private var refusal: Outcome? {
    var skipped: Outcome?
    for dependency in inOrder where dependency.requirement == .success {
      switch dependency.outcome {
      case .cancelled?: return .cancelled
      case .failed?, .skipped?: skipped = skipped ?? .skipped(because: dependency.operation.name)
      case .succeeded?, nil: break
      }
    }
    return skipped
  }

  /// Starts the operation, now that it has a place.
  ///
  /// - Returns: its work; nil if it must not start, or not yet.
  mutating func begin() -> Work? {
    isInLine = false
    guard isPending, !isCancelled, unfinishedCount == 0, refusal == nil else { return nil }
    phase = .executing
    return work.take()
  }

  /// Ends the operation after its work has ended.
  mutating func end(_ outcome: Outcome) -> Ending? {
    guard isExecuting else { return nil }
    return finish(outcome)
  }

  private mutating func finish(_ outcome: Outcome) -> Ending {
    phase = .finished(outcome)
    let ending = Ending(
      outcome: outcome, observers: observers, dependents: dependents.compactMap(\.operation),
      home: home, discarded: work, dependencies: takeDependencies())
    observers = []
    dependents = []
    work = nil
    home = nil
    return ending
  }

  /// - Returns: how it ended, if it has; then the observer is not kept.
  mutating func observe(_ observer: @escaping Observer) -> Outcome? {
    if let outcome { return outcome }
    observers.append(observer)
    return nil
  }
}
