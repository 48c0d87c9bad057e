/// What a coordinated run knows of its operations: which wait, which may start, which run, how they ended,
/// and why nothing more is to start.
///
/// It decides and does nothing else: each method changes the state, and what is to be done about it gathers
/// in `effects`, which the caller performs once it has let go of the lock. Whoever has changed something
/// calls `settle` before that.
///
/// Invariants, between two holders of the lock: an operation that waits has a predecessor that has not
/// ended, or stands for one of another run; no more than the width are starting or running; where an
/// operation could start and a worker rests, one has been woken.
struct CoordinatedState: Sendable {
  typealias Group = [ResourceState.Amount]

  /// Grows if operations are added while it runs.
  var graph: OperationGraph
  /// Of the operations that were there from the start.
  let plan: GraphPlan
  /// Who comes after an operation beside those of the plan.
  var addedSuccessors: [Int32: [Int32]] = [:]
  /// Whether every operation comes after earlier ones only, so that no edge to a later one closes a cycle.
  var pointsForward: Bool
  let policy: OperationGraph.FailurePolicy
  var nodes: [CoordinatedNode] = []
  /// For the operations whose trigger may hold without them: whose values they wait for.
  var missingValues: [Int32: Set<Int32>] = [:]

  /// What the operations of each group need; those of the first need nothing.
  var groups: [Group] = [[]]
  var groupNumbers: [Group: Int] = [[]: 0]
  /// By group.
  var ready = [ReadyQueue()]
  /// Who became ready first, also among runs that share resources.
  let arrivals: Arrivals
  /// Whether some group waits for resources.
  var hasClaims = false
  /// The groups of operations that have ended: what they held is to be given back.
  var givenBack: [Int] = []

  /// How many operations may start beside those in flight.
  var places: Int
  /// Whether operations start where the one before them ended, and not on workers.
  let isInline: Bool
  /// How many workers may be woken beside those that are awake.
  var resting: Int
  /// Whether a worker has been woken that has not looked around yet: one at a time.
  var isWaking = false

  /// Whether operations may be added.
  var isOpen: Bool
  var isSuspended: Bool
  /// Nothing more starts.
  var isStopped = false
  /// Why the run has not succeeded.
  var reason: (any Error)?
  var failures: [GraphFailures.Failure] = []
  var isConcluded = false

  var counts = PhaseCounts()
  /// Operations that have ended and whose successors do not know yet.
  var ended: [Int32] = []
  /// Who is to be told when an operation ends.
  var watchers: [Int32: [RemoteWatcher]] = [:]
  /// When each operation started and ended, if somebody wants to know.
  var records: [OperationRecord]?
  /// Whether somebody wants to be told.
  var isObserved: Bool
  /// Whether the trace is to be told.
  let isTold: Bool
  /// Who last left a place or resources that others may have waited for, if the trace is told.
  var leaver: Leaver?
  /// Whether somebody follows the progress.
  var isFollowed = false
  /// When what is being decided happens, if somebody wants to know.
  var now: Instant?
  /// Whether it is known that the run was called off.
  var isCancelled = false
  /// Changes with each decision: two that find it the same know that nothing happened between.
  var version = 0

  var effects = CoordinatedEffects()

  /// - Parameter workers: how many there may be; nil if operations start inline.
  init(
    _ graph: OperationGraph, _ plan: GraphPlan, policy: OperationGraph.FailurePolicy, width: Int,
    workers: Int?, pool: ResourcePool?, isOpen: Bool, isSuspended: Bool, isObserved: Bool = false,
    isTold: Bool = false, isRecording: Bool
  ) throws {
    self.graph = graph
    self.plan = plan
    self.policy = policy
    arrivals = pool?.arrivals ?? Arrivals()
    places = max(width, 1)
    isInline = workers == nil
    resting = workers ?? 0
    self.isOpen = isOpen
    self.isSuspended = isSuspended
    self.isObserved = isObserved
    self.isTold = isTold
    records = isRecording ? [] : nil
    pointsForward = graph.table.dependencies.allSatisfy { $0.predecessor < $0.successor }
    try append(graph.table, from: 0, pool)
    for operation in nodes.indices {
      nodes[operation].unended = plan.predecessorCounts[operation]
    }
    try refuseTriggers(from: 0, hasPredecessors: { plan.predecessorCounts[$0] > 0 })
    inheritPriorities()
  }

  func name(of operation: Int32) -> String { graph.table.name(of: operation) }

  /// Who comes after an operation, in the order in which that was said.
  func forEachSuccessor(of operation: Int32, _ body: (Int32) -> Void) {
    if operation < plan.count { for other in plan.successors(of: operation) { body(other) } }
    for other in addedSuccessors[operation] ?? [] { body(other) }
  }

  mutating func setPhase(_ operation: Int32, _ phase: OperationPhase) {
    counts.add(-1, to: nodes[Int(operation)].phase)
    counts.add(1, to: phase)
    nodes[Int(operation)].phase = phase
    nodes[Int(operation)].stamp &+= 1
  }

  // MARK: What is to be done

  mutating func takeEffects() -> CoordinatedEffects {
    defer { effects = CoordinatedEffects() }
    return effects
  }

  /// Draws all consequences of what was changed.
  ///
  /// - Parameters:
  ///   - pool: the free resources, if operations need some.
  ///   - run: who takes them.
  mutating func settle(_ pool: inout ResourceState?, _ run: any ResourceUser) {
    version &+= 1
    tellSuccessors()
    giveBack(&pool, run)
    if isInline {
      while let operation = takeNext(&pool, run) { effects.starts.append(operation) }
    } else if !isWaking, resting > 0, findNext(&pool, run) != nil {
      isWaking = true
      resting -= 1
      effects.wakesWorker = true
    } else if hasClaims {
      // Whatever cannot start now for other reasons must not be in anybody's way.
      _ = findNext(&pool, run)
    }
    conclude()
    if isFollowed { effects.progress = (GraphProgress(counts), version) }
  }

  /// What those who observe the run are told of it.
  func message(_ event: GraphEvent) -> EventDelivery.Message? {
    switch event {
    case .started(let operation, let attempt):
      let told = GraphOperation(index: Int(operation), name: name(of: operation))
      return { $0.operationStarted(told, attempt: attempt) }
    case .failedAttempt(let operation, let attempt, let error):
      let told = GraphOperation(index: Int(operation), name: name(of: operation))
      return { $0.operationWillRetry(told, after: attempt, error) }
    case .finished(let operation, let ending):
      let told = GraphOperation(index: Int(operation), name: name(of: operation))
      return { $0.operationFinished(told, OperationState(ending)) }
    case .added, .readyAgain, .counted, .passedPlace: return nil
    }
  }

  /// The run has been called off.
  mutating func noteCancellation() {
    guard !isCancelled else { return }
    isCancelled = true
    cancelAll()
  }

  private mutating func conclude() {
    guard !isConcluded else { return }
    if counts.unfinished == 0 && (!isOpen || isStopped) {
      isConcluded = true
      isOpen = false
      effects.conclusion = conclusion
    } else if counts.isAtRest && !isOpen && !isSuspended {
      effects.isAtRest = true
    }
  }

  /// What the run has come to.
  private var conclusion: CoordinatedEffects.Conclusion {
    let endings =
      counts.succeeded == nodes.count ? nil : nodes.map { $0.ending ?? .cancelled }
    if policy == .keepGoing, !failures.isEmpty, !(reason is CancellationError) {
      return .init(failure: GraphFailures(failures: failures), endings: endings)
    }
    return .init(failure: reason, endings: endings)
  }
}

/// How many operations are in which phase.
struct PhaseCounts: Sendable {
  var waiting = 0
  var asking = 0
  var ready = 0
  var starting = 0
  var running = 0
  var delayed = 0
  var succeeded = 0
  var failed = 0
  var cancelled = 0
  var skipped = 0

  var unfinished: Int { waiting + ready + activity }
  /// How many of them something is going to happen to.
  var activity: Int { asking + starting + running + delayed }
  /// Whether nothing happens any more unless somebody else does something.
  var isAtRest: Bool { waiting > 0 && ready + activity == 0 }

  mutating func add(_ number: Int, to phase: OperationPhase) {
    switch phase {
    case .waiting: waiting += number
    case .asking: asking += number
    case .ready: ready += number
    case .starting: starting += number
    case .running: running += number
    case .delayed: delayed += number
    case .ended(.succeeded): succeeded += number
    case .ended(.failed): failed += number
    case .ended(.cancelled): cancelled += number
    case .ended(.skipped): skipped += number
    }
  }
}
