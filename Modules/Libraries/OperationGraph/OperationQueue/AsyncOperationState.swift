/// The state of an operation and of its dependencies.
///
/// It only makes decisions. The caller carries them out after releasing the lock.
struct AsyncOperationState {
  /// Starts the work of an operation. The work ends the operation.
  typealias Work = @Sendable (AsyncOperation) -> Void
  typealias Observer = @Sendable (AsyncOperation, Ending) -> Void

  private enum Phase {
    case waiting
    /// It waits for a place in its queue.
    case ready
    case executing
    case ended(Ending)
  }

  /// A dependency that has not ended.
  private struct Dependency {
    /// The position of the dependency in the order of adding.
    let number: Int
    var requirement: AsyncOperation.Requirement
  }

  /// The next step of an operation.
  enum Step {
    case nothing
    case waitForPlace(in: AsyncOperationQueue)
    /// Notify the observers of the end. Work that never starts is released outside the lock, because this may run the
    /// user's code.
    case notify([Observer], of: Ending, discarding: Work?)
  }

  private var phase = Phase.waiting
  private var work: Work?
  private(set) var isCancelled = false
  private var dependencies: [AsyncOperation: Dependency] = [:]
  private var dependencyNumber = 0
  private var predecessors = PredecessorCounts()
  /// The first dependency that had to succeed and did not.
  private var firstUnsuccessful: String?
  /// Whether another operation has been made to wait for this one.
  var hasDependents = false
  /// Nil once the end is reported.
  private var observers: [Observer]? = []
  /// The queue that the operation was added to.
  private(set) var queue: AsyncOperationQueue?
  /// The operation that this operation's work awaits in its own task.
  var awaited: AsyncOperation?

  init(_ work: @escaping Work) { self.work = work }

  var isReady: Bool { isPending && predecessors.unended == 0 }
  var isExecuting: Bool { if case .executing = phase { true } else { false } }
  var ending: Ending? { if case .ended(let ending) = phase { ending } else { nil } }
  var skipCause: String? { if case .skipped? = ending { firstUnsuccessful } else { nil } }
  /// Whether it has neither started nor ended.
  private var isPending: Bool { !isExecuting && ending == nil }

  // MARK: Dependencies

  /// The dependencies that have not ended, in the order in which they were added.
  var unfinishedDependencies: [AsyncOperation] {
    dependencies.sorted { $0.value.number < $1.value.number }.map(\.key)
  }

  /// - Returns: whether the dependency is new (it may have ended already); nil if the operation can
  ///   no longer depend on it.
  mutating func addDependency(
    on other: AsyncOperation, _ requirement: AsyncOperation.Requirement
  ) -> Bool? {
    guard isPending else { return nil }
    guard dependencies[other] == nil else {
      // Requiring success includes requiring the end.
      if requirement == .success { dependencies[other]?.requirement = .success }
      return false
    }
    dependencyNumber += 1
    dependencies[other] = Dependency(number: dependencyNumber, requirement: requirement)
    predecessors.unended += 1
    return true
  }

  mutating func removeDependency(on other: AsyncOperation) {
    if dependencies.removeValue(forKey: other) != nil { predecessors.unended -= 1 }
  }

  mutating func dependencyEnded(_ other: AsyncOperation, _ ending: Ending) {
    guard let dependency = dependencies.removeValue(forKey: other) else { return }
    let isMet = if case .succeeded = ending { true } else { dependency.requirement == .end }
    predecessors.count(isMet ? .succeeded : ending, givesValue: false)
    if !isMet, firstUnsuccessful == nil { firstUnsuccessful = other.name }
  }

  mutating func takeDependencies() -> [AsyncOperation] {
    defer { dependencies = [:] }
    return Array(dependencies.keys)
  }

  // MARK: Starting and ending

  /// Begins to add the operation to a queue. The rest of the addition counts as a predecessor, which ends with `settle`.
  ///
  /// - Returns: false if it was already added to a queue.
  mutating func enter(_ queue: AsyncOperationQueue) -> Bool {
    guard self.queue == nil else { return false }
    self.queue = queue
    predecessors.unended += 1
    return true
  }

  /// - Parameter queue: the queue that the operation is in now; nil if it could not be added.
  mutating func settle(in queue: AsyncOperationQueue?) {
    self.queue = queue
    predecessors.unended -= 1
  }

  mutating func cancel() {
    if ending == nil { isCancelled = true }
  }

  /// Starts the operation, now that it has a place.
  ///
  /// - Returns: its work; nil if it must not start, or not yet.
  mutating func begin() -> Work? {
    guard case .ready = phase, !isCancelled,
      case .start = predecessors.verdict(.allSucceeded)
    else { return nil }
    phase = .executing
    return work.take()
  }

  /// Notes that the operation got a place and did not start, so that it needs another one later.
  mutating func didNotBegin() {
    if case .ready = phase { phase = .waiting }
  }

  mutating func end(_ ending: Ending) { phase = .ended(ending) }

  /// - Returns: how it ended, if it has; then the observer is not kept.
  mutating func observe(_ observer: @escaping Observer) -> Ending? {
    observers?.append(observer)
    return ending
  }

  /// Decides the next step of the operation after a change.
  mutating func nextStep() -> Step {
    if isReady, isCancelled {
      end(.cancelled)
    } else if isReady, queue != nil, case .never(let ending) = predecessors.verdict(.allSucceeded) {
      end(ending)
    }
    if let ending, let observers = observers.take() {
      return .notify(observers, of: ending, discarding: work.take())
    }
    guard isReady, let queue, case .waiting = phase else { return .nothing }
    phase = .ready
    return .waitForPlace(in: queue)
  }
}
