/// The state of a coordinated run. It knows which operations wait, are ready, run or have ended,
/// and decides the next step of the run.
///
/// It only makes decisions. A transition changes the state and returns the actions that the run must perform after
/// releasing the lock. Before that, `settle` applies the consequences of the transition.
///
/// Invariants while the lock is free: a waiting operation has a predecessor that has not ended, or represents an
/// operation of another run. At most `width` operations are starting or running. If an operation could start and a
/// worker rests, a worker has been woken.
struct CoordinatedState: Sendable {
  typealias Action = CoordinatedAction

  /// The phase of the run.
  enum Life: Equatable {
    /// Operations may be added.
    case open
    /// All operations are known.
    case closed
    /// No further operation starts.
    case stopped
    /// No further operation starts, and the running ones have been notified.
    case cancelled
    /// All operations have ended.
    case concluded(isStopped: Bool)
  }

  /// The lanes on which operations start.
  enum Workers {
    /// On the lane where the previous operation ended.
    case inline
    /// On threads. `resting` more threads may be woken, but only one wakes up at a time.
    case threads(resting: Int, isWaking: Bool)
  }

  /// The graph, which grows if operations are added while it runs.
  var graph: OperationGraph
  /// The plan of the operations that existed from the start.
  let plan: GraphPlan
  /// The successors of operations that are not in the plan.
  var addedSuccessors: [Int32: [Int32]] = [:]
  let policy: OperationGraph.FailurePolicy
  var nodes: [CoordinatedNode] = []
  var counts = PhaseCounts()
  /// The missing values of operations whose trigger may hold without them.
  var missingValues: [Int32: Set<Int32>] = [:]
  /// Operations that have ended, but whose successors have not been notified.
  var ended: [Int32] = []
  /// The watchers to notify when an operation ends.
  var watchers: [Int32: [RemoteWatcher]] = [:]

  var ready = ReadyGroups()
  /// Numbers the order in which operations become ready, also among runs that share resources.
  let arrivals: Arrivals
  /// The number of operations that may start in addition to those in flight.
  var places: Int
  var workers: Workers

  var life: Life
  var isSuspended: Bool
  var fault = RunFault.none

  /// Nil unless the run records times.
  var records: RunRecords?
  var log: EventLog
  /// The progress that was last reported; nil if no other code follows it.
  var reported: GraphProgress?
  /// Changes with each decision. If the value stays the same, nothing has happened in between.
  var version = 0

  /// - Parameter workers: the maximum number of workers; nil if operations start inline.
  init(
    _ graph: OperationGraph, _ plan: GraphPlan, onFailure policy: OperationGraph.FailurePolicy,
    width: Int, workers: Int?, pool: ResourcePool?, isOpen: Bool, isSuspended: Bool,
    events: EventLog.Detail = .none, isRecording: Bool
  ) throws {
    self.graph = graph
    self.plan = plan
    self.policy = policy
    arrivals = pool?.arrivals ?? Arrivals()
    places = max(width, 1)
    self.workers = workers.map { .threads(resting: $0, isWaking: false) } ?? .inline
    life = isOpen ? .open : .closed
    self.isSuspended = isSuspended
    log = EventLog(events)
    records = isRecording ? RunRecords() : nil
    try append(graph.table, from: 0, pool)
    for operation in nodes.indices {
      nodes[operation].predecessors.unended = plan.predecessorCounts[operation]
    }
    try refuseTriggers(from: 0, hasPredecessors: { plan.predecessorCounts[$0] > 0 })
    inheritPriorities()
  }

  var isConcluded: Bool { if case .concluded = life { true } else { false } }

  /// Whether no further operation starts.
  var isStopped: Bool {
    switch life {
    case .open, .closed: false
    case .stopped, .cancelled: true
    case .concluded(let isStopped): isStopped
    }
  }

  /// Whether the run can continue only because of another run.
  var isAtRest: Bool { counts.isAtRest && life != .open && !isSuspended }

  func name(of operation: Int32) -> String { graph.table.name(of: operation) }

  /// The successors of an operation, in the order in which they were added.
  func successors(of operation: Int32) -> [Int32] {
    let planned = operation < plan.count ? Array(plan.successors(of: operation)) : []
    guard let added = addedSuccessors[operation] else { return planned }
    return (planned + added).sorted()
  }

  mutating func setPhase(_ operation: Int32, _ phase: OperationPhase) {
    counts.add(-1, to: nodes[Int(operation)].phase)
    counts.add(1, to: phase)
    nodes[Int(operation)].phase = phase
    nodes[Int(operation)].stamp &+= 1
  }

  mutating func close() {
    if life == .open { life = .closed }
  }

  // MARK: Before the lock is released

  /// Applies all consequences of a transition.
  ///
  /// - Parameters:
  ///   - actions: the actions of the transition.
  ///   - pool: the free resources, if operations need some.
  ///   - run: the run that takes them.
  mutating func settle(
    _ actions: consuming [Action] = [], _ pool: inout ResourceState?, _ run: any ResourceUser
  ) -> CoordinatedDecision {
    version &+= 1
    actions.add(notifySuccessors())
    actions.add(ready.giveBack(&pool, run))
    let (next, more) = continuation(&pool, run)
    actions.add(more)
    return CoordinatedDecision(actions: actions, next: next, progress: takeProgress(before: next))
  }

  /// The progress, if other code follows it, and if it has changed. The end of a run always has it, because an earlier
  /// report may still be under way.
  private mutating func takeProgress(
    before next: CoordinatedDecision.Next
  ) -> (GraphProgress, version: Int)? {
    guard let reported else { return nil }
    let progress = GraphProgress(counts)
    if case .conclude = next {} else if progress == reported { return nil }
    self.reported = progress
    return (progress, version)
  }

  private mutating func continuation(
    _ pool: inout ResourceState?, _ run: any ResourceUser
  ) -> (next: CoordinatedDecision.Next, actions: [Action]) {
    var actions: [Action] = []
    switch workers {
    case .inline:
      var starts: [Int32] = []
      while true {
        let (operation, more) = takeNext(&pool, run)
        actions.add(more)
        guard let operation else { break }
        starts.append(operation)
      }
      if !starts.isEmpty { return (.start(starts), actions) }
    case .threads(let resting, false) where resting > 0:
      let (group, more) = findNext(&pool, run)
      actions.add(more)
      if group != nil {
        workers = .threads(resting: resting - 1, isWaking: true)
        return (.wakeWorker, actions)
      }
    case .threads where ready.hasClaims:
      // This removes claims for operations that cannot start now even if their resources are free. Such claims must
      // not keep resources from others.
      actions.add(findNext(&pool, run).actions)
    case .threads: break
    }
    return (conclude(), actions)
  }

  private mutating func conclude() -> CoordinatedDecision.Next {
    if isConcluded { return .wait }
    if counts.unfinished > 0 || life == .open { return isAtRest ? .searchDeadlock : .wait }
    life = .concluded(isStopped: isStopped)
    let endings = counts.succeeded == nodes.count ? nil : nodes.map { $0.ending ?? .cancelled }
    return .conclude(.init(failure: fault.error(policy), endings: endings))
  }

  /// The message that notifies observers of an event; nil if it is only for the trace.
  func message(_ event: GraphEvent) -> EventDelivery.Message? {
    func named(_ operation: Int32) -> GraphOperation {
      GraphOperation(index: Int(operation), name: name(of: operation))
    }
    switch event {
    case .started(let operation, let attempt):
      let operation = named(operation)
      return { $0.operationStarted(operation, attempt: attempt) }
    case .failedAttempt(let operation, let attempt, let error):
      let operation = named(operation)
      return { $0.operationWillRetry(operation, after: attempt, error) }
    case .finished(let operation, let ending):
      let operation = named(operation)
      return { $0.operationFinished(operation, OperationState(ending)) }
    case .added, .delayEnded, .readyAgain, .counted, .passedPlace: return nil
    }
  }
}
