/// The lock and the effects of a run with everything: it does what its state decides, after the lock.
final class CoordinatedRun: Sendable {
  typealias State = CoordinatedState
  typealias Completion = @Sendable (Result<GraphResult, any Error>) -> Void

  let placement: Placement
  let runtime: any Runtime
  let cancellation: Cancellation
  let values: RunValues
  let resources: ResourcePool?
  private let delivery: EventDelivery?
  /// Nil if nobody listens.
  let trace: CoordinatedTrace?
  let progress = ProgressStreams()
  /// Whether the graph, and with it the room for values, may grow.
  let isGrowing: Bool
  private let firstGraph: GraphStorage
  private let firstPlaces: RunValues.Places
  private let isTimed: Bool
  private let state: Locked<State>
  /// Who wants to know what the run came to, until it has.
  private let waiting: Locked<Waiting>

  struct Waiting: Sendable {
    var completions: [Completion]
    /// Somebody calls them, and whoever comes meanwhile is called after them.
    var isTelling = false
    var result: Result<GraphResult, any Error>?
    var final: GraphResult?
    var registration: Cancellation.Registration?

    /// Those to call next; nil if there are none.
    mutating func takeCompletions() -> [Completion]? {
      isTelling = !completions.isEmpty
      defer { completions = [] }
      return isTelling ? completions : nil
    }
  }

  init(
    _ graph: OperationGraph, _ values: RunValues, _ setup: RunSetup, completion: Completion?
  ) throws {
    placement = setup.placement
    runtime = setup.runtime
    cancellation = setup.cancellation
    self.values = values
    resources = setup.resources ?? graph.table.implicitPool
    trace = CoordinatedTrace(setup.label, graph.table, on: setup.runtime)
    let isObserved = !setup.observers.isEmpty
    delivery = isObserved || trace != nil ? EventDelivery(setup.observers) : nil
    isGrowing = setup.isOpen
    firstGraph = graph.storage
    firstPlaces = values.places
    isTimed = setup.isRecording
    let workers: Int? =
      switch setup.placement {
      case .inline: nil
      case .main: 1
      case .pool, .scheduler: max(setup.runtime.width, 1)
      }
    state = Locked(
      try State(
        graph, try graph.plan(), policy: setup.policy, width: setup.width, workers: workers,
        pool: resources, isOpen: setup.isOpen, isSuspended: setup.isSuspended,
        isObserved: isObserved, isTold: trace != nil, isRecording: setup.isRecording))
    waiting = Locked(Waiting(completions: completion.map { [$0] } ?? []))
  }

  /// Begins to run. Called once.
  func start() {
    trace?.begin(firstGraph.table)
    let registration = cancellation.onCancel { [weak self] in self?.update { _, _ in } }
    let isOver = waiting.withLock { waiting in
      waiting.registration = registration
      return waiting.result != nil
    }
    if isOver { registration.dispose() }
    update { state, _ in state.begin() }
    // Not before: what one of them lets end would find all others at rest.
    connectRemotes(from: 0)
  }

  // MARK: Deciding

  /// Reads what the lock guards.
  func read<Result: Sendable>(_ body: (State) -> Result) -> Result { state.withLock { body($0) } }

  /// Decides under the lock, and does after it what is to be done.
  @discardableResult
  func update<Result: Sendable>(
    _ body: (inout State, inout ResourceState?) throws -> Result
  ) rethrows -> Result {
    let (result, effects) = try decide(body)
    perform(effects)
    return result
  }

  /// Decides under the lock.
  ///
  /// - Returns: also what is to be done.
  func decide<Result: Sendable>(
    _ body: (inout State, inout ResourceState?) throws -> Result
  ) rethrows -> (Result, CoordinatedEffects) {
    let now = isTimed ? runtime.now : nil
    let isCancelled = cancellation.isCancelled
    return try state.withLock { state in
      state.now = now
      if isCancelled { state.noteCancellation() }
      let result: Result
      // What is added may be the first to need something.
      if let pool = resources, state.groups.count > 1 || isGrowing {
        result = try pool.state.withLock { free in
          let result = try body(&state, &free)
          state.settle(&free, self)
          return result
        }
      } else {
        var none: ResourceState?
        result = try body(&state, &none)
        state.settle(&none, self)
      }
      let effects = state.takeEffects()
      if let delivery, !effects.events.isEmpty {
        if state.isObserved { delivery.append(effects.events.compactMap { state.message($0) }) }
        if let trace {
          let records = trace.records(
            of: effects.events, of: state.graph.table, isStopped: state.isStopped)
          delivery.append { trace.record(records) }
        }
      }
      return (result, effects)
    }
  }

  // MARK: Doing

  func perform(_ effects: CoordinatedEffects) {
    performAtOnce(effects)
    // One after another: a long row of operations that are left out needs no stack.
    var asks = effects.asks
    var position = 0
    while position < asks.count {
      let operation = asks[position]
      position += 1
      let holds = holdsCondition(of: operation)
      let (_, more) = decide { state, _ in state.answer(operation, holds) }
      performAtOnce(more)
      asks += more.asks
    }
  }

  private func performAtOnce(_ effects: CoordinatedEffects) {
    for timer in effects.timers { timer.cancel() }
    if !effects.events.isEmpty { delivery?.deliver() }
    for cancellation in effects.cancellations { cancellation.cancel() }
    for (watcher, ending) in effects.watchers { watcher.tell(ending) }
    for user in effects.lookers { user.lookForResources() }
    for (operation, attempt, delay) in effects.delays {
      setTimer(operation, attempt, delay) { run in
        run.update { state, _ in state.delayIsOver(operation, attempt: attempt) }
      }
    }
    if effects.wakesWorker { placement.run(on: runtime) { self.work() } }
    if !effects.starts.isEmpty { startInline(effects.starts) }
    if effects.isAtRest { DeadlockSearch.end(runsThatWaitWith: self) }
    if let progress = effects.progress {
      self.progress.tell(
        progress.progress, version: progress.version, isLast: effects.conclusion != nil)
    }
    if let conclusion = effects.conclusion { conclude(conclusion) }
  }

  private func holdsCondition(of operation: Int32) -> Bool {
    table.options[operation]?.condition?(OperationFrame(host: self, values: places)) ?? true
  }

  /// Calls `body` after a while, unless the operation has gone on by then.
  func setTimer(
    _ operation: Int32, _ attempt: Int, _ delay: Duration,
    _ body: @escaping @Sendable (CoordinatedRun) -> Void
  ) {
    let timer = runtime.pool.schedule(after: delay) { body(self) }
    let isKept = state.withLock { $0.keepTimer(operation, attempt: attempt, timer) }
    if !isKept { timer.cancel() }
  }

  private func conclude(_ conclusion: CoordinatedEffects.Conclusion) {
    let final = GraphResult(storage, values, endings: conclusion.endings)
    let result: Result<GraphResult, any Error> =
      conclusion.failure.map { .failure($0) } ?? .success(final)
    guard let delivery else { return tell(result, final) }
    delivery.append([{ $0.runFinished(result) }])
    if let trace {
      let end = trace.run.end(conclusion.failure)
      delivery.append { trace.run.record(end) }
    }
    guard delivery.hasObservers else {
      // On this thread, also if another one is recording: as if nobody listened.
      delivery.deliver()
      return tellCaller(result, final)
    }
    delivery.deliver { self.tellCaller(result, final) }
  }

  private func tellCaller(_ result: Result<GraphResult, any Error>, _ final: GraphResult) {
    guard let trace else { return tell(result, final) }
    trace.run.performForCaller { tell(result, final) }
  }

  private func tell(_ result: Result<GraphResult, any Error>, _ final: GraphResult) {
    let registration = waiting.withLock { waiting in
      defer { waiting.registration = nil }
      waiting.result = result
      waiting.final = final
      waiting.isTelling = true
      return waiting.registration
    }
    registration?.dispose()
    while let completions = waiting.withLock({ $0.takeCompletions() }) {
      for completion in completions { completion(result) }
    }
  }

  // MARK: What the run came to

  /// Calls `completion` when the run is over, at once if it is, and after those that came before.
  func onCompletion(_ completion: @escaping Completion) {
    let result: Result<GraphResult, any Error>? = waiting.withLock { waiting in
      guard let result = waiting.result, !waiting.isTelling else {
        waiting.completions.append(completion)
        return nil
      }
      return result
    }
    if let result { completion(result) }
  }

  /// The values and endings of a run that is over.
  var final: GraphResult? { waiting.withLock { $0.final } }
}

extension CoordinatedRun: ResourceUser {
  func lookForResources() {
    // Another run has given them back.
    update { state, _ in state.leaver = nil }
  }
}

extension CoordinatedRun: OperationHost {
  private var storage: GraphStorage { isGrowing ? read { $0.graph.storage } : firstGraph }
  var table: OperationTable { storage.table }

  // Read under the lock, under which alone it changes.
  var places: RunValues.Places { isGrowing ? read { _ in values.places } : firstPlaces }

  func span(of operation: Int32) -> Span { trace?.span(of: operation) ?? .none }

  /// One that has not ended counts as skipped.
  func ending(of operation: Int32) -> Ending {
    operation < 0 ? .succeeded : read { $0.nodes[Int(operation)].ending ?? .skipped }
  }

  func end(_ operation: Int32, _ failure: (any Error)?) {
    update { state, _ in state.finish(operation, failure) }
  }
}

/// What a run is given beside its graph and the values of its inputs.
struct RunSetup: Sendable {
  var width = Int.max
  var policy = OperationGraph.FailurePolicy.stop
  var resources: ResourcePool?
  var observers: [any GraphObserver] = []
  var isOpen = false
  var isSuspended = false
  var isRecording = false
  var placement = Placement.pool
  var runtime: any Runtime
  var cancellation: Cancellation
  /// What the trace calls the run; nil if somebody else tells of it.
  var label: String?
}
