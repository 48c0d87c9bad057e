internal import AsyncRuntime

/// A coordinated run behind its lock. It supports all options, and carries out the decisions of its
/// state after releasing the lock.
final class CoordinatedRun: Sendable {
  typealias State = CoordinatedState
  typealias Completion = @Sendable (Result<GraphResult, any Error>) -> Void
  typealias Surrounding =
    @Sendable (CoordinatedRun, () -> CoordinatedReturn) -> CoordinatedReturn

  let placement: Placement
  let runtime: any Runtime
  let cancellation: Cancellation
  let values: RunValues
  let resources: ResourcePool?
  private let delivery: EventDelivery?
  /// Nil if the run is not traced.
  let trace: CoordinatedTrace?
  let progress = Broadcast<GraphProgress>()
  /// Whether the graph may grow, and with it the storage for values.
  let isGrowing: Bool
  /// Wraps each call of an operation; nil if nothing wraps it.
  let surrounding: Surrounding?
  private let firstGraph: GraphStorage
  private let firstPlaces: RunValues.Places
  private let isTimed: Bool
  private let state: Locked<State>
  /// The completions that wait for the result of the run.
  private let waiting: Locked<Waiting>

  struct Waiting: Sendable {
    var completions: [Completion]
    /// Whether a thread is calling completions. It then also calls those that are added meanwhile.
    var isNotifying = false
    var result: Result<GraphResult, any Error>?
    var final: GraphResult?
    var registration: Cancellation.Registration?

    /// The next completions to call; nil if there are none.
    mutating func takeCompletions() -> [Completion]? {
      isNotifying = !completions.isEmpty
      defer { completions = [] }
      return isNotifying ? completions : nil
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
    let events: EventLog.Detail =
      trace != nil ? .trace : setup.observers.isEmpty ? .none : .observers
    delivery = events == .none ? nil : EventDelivery(setup.observers)
    isGrowing = setup.isOpen
    surrounding = setup.surrounding
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
        graph, try graph.plan(), onFailure: setup.onFailure, width: setup.width, workers: workers,
        pool: resources, isOpen: setup.isOpen, isSuspended: setup.isSuspended,
        events: events, isRecording: setup.isRecording))
    waiting = Locked(Waiting(completions: completion.map { [$0] } ?? []))
  }

  /// Starts the run. Called once.
  func start() {
    trace?.begin(firstGraph.table)
    let registration = cancellation.onCancel { [weak self] in self?.update { _ in [] } }
    let isFinished = waiting.withLock { waiting in
      waiting.registration = registration
      return waiting.result != nil
    }
    if isFinished { registration.dispose() }
    update { $0.begin() }
    // Comes after `begin`, because a remote operation may end immediately. Before `begin`, all other operations are
    // still waiting, and the run would take this for a deadlock.
    connectRemotes(from: 0)
  }

  // MARK: Deciding

  /// Reads the state under the lock.
  func read<Result: Sendable>(_ body: (State) -> Result) -> Result { state.withLock { body($0) } }

  /// Decides under the lock, and performs the actions after releasing it.
  func update(_ transition: (inout State) -> [State.Action]) {
    perform(decide { state, _ in ((), transition(&state)) }.1)
  }

  /// Changes the state under the lock, and performs the resulting actions after releasing it.
  func change(_ body: (inout State) -> Void) {
    perform(decide { state, _ in (body(&state), []) }.1)
  }

  /// Decides under the lock.
  ///
  /// - Returns: the result, and the decision, which the caller must `perform`.
  func decide<Result: Sendable>(
    _ transition: (inout State, inout ResourceState?) -> (Result, [State.Action])
  ) -> (Result, CoordinatedDecision) {
    let now = isTimed ? runtime.now : nil
    let isCancelled = cancellation.isCancelled
    return state.withLock { state in
      state.records?.now = now
      var actions = isCancelled ? state.cancelAll() : []
      func decide(_ free: inout ResourceState?) -> (Result, CoordinatedDecision) {
        let (result, more) = transition(&state, &free)
        actions.add(more)
        var decision = state.settle(actions, &free, self)
        if deliverEvents(of: &state) { decision.actions.insert(.deliverEvents, at: 0) }
        return (result, decision)
      }
      // An added operation may be the first one that needs resources.
      if let resources, state.ready.needsResources || isGrowing {
        return resources.state.withLock { decide(&$0) }
      }
      var none: ResourceState?
      return decide(&none)
    }
  }

  /// - Returns: whether there were any events.
  private func deliverEvents(of state: inout State) -> Bool {
    let events = state.log.take()
    guard let delivery, !events.isEmpty else { return false }
    if delivery.hasObservers { delivery.append(events.compactMap { state.message($0) }) }
    if let trace {
      let records = trace.records(of: events, of: state.graph.table, isStopped: state.isStopped)
      delivery.append { trace.record(records) }
    }
    return true
  }

  // MARK: Acting

  func perform(_ decision: CoordinatedDecision) {
    var asks = performAllButAsks(decision)
    // One after another: a long chain of skipped operations does not grow the stack.
    var position = 0
    while position < asks.count {
      let operation = asks[position]
      position += 1
      let holds = holdsCondition(of: operation)
      let (_, more) = decide { state, _ in ((), state.answer(operation, holds)) }
      asks += performAllButAsks(more)
    }
  }

  /// - Returns: the operations whose conditions must be evaluated.
  private func performAllButAsks(_ decision: CoordinatedDecision) -> [Int32] {
    var asks: [Int32] = []
    for action in decision.actions {
      switch action {
      case .deliverEvents: delivery?.deliver()
      case .ask(let operation): asks.append(operation)
      case .retry(let operation, let attempt, let backoff): retry(operation, attempt, backoff)
      case .cancel(let cancellation): cancellation.cancel()
      case .cancelTimer(let timer): timer.cancel()
      case .notify(let watcher, let ending): watcher.notify(ending)
      case .look(let user): user.lookForResources()
      case .release: break
      }
    }
    var conclusion: CoordinatedDecision.Conclusion?
    switch decision.next {
    case .wait: break
    case .wakeWorker: placement.run(on: runtime) { self.work() }
    case .start(let operations): startInline(operations)
    case .searchDeadlock: DeadlockSearch.end(runsThatWaitWith: self)
    case .conclude(let last): conclusion = last
    }
    if let conclusion {
      progress.finish(with: decision.progress?.progress)
      conclude(conclusion)
    } else if let (progress, version) = decision.progress {
      self.progress.send(progress, version: version)
    }
    return asks
  }

  private func retry(_ operation: Int32, _ attempt: Int, _ backoff: Backoff) {
    var generator = SplitMix(for: runtime)
    let delay = backoff.delay(before: attempt + 1, using: &generator)
    setTimer(operation, attempt, delay) { run in
      run.change { $0.endDelay(operation, attempt: attempt) }
    }
  }

  private func holdsCondition(of operation: Int32) -> Bool {
    table.options[operation]?.condition?(OperationFrame(host: self, values: places)) ?? true
  }

  /// Calls `body` after `delay`, unless the operation has continued by then.
  func setTimer(
    _ operation: Int32, _ attempt: Int, _ delay: Duration,
    _ body: @escaping @Sendable (CoordinatedRun) -> Void
  ) {
    let timer = runtime.pool.schedule(after: delay) { body(self) }
    let isKept = state.withLock { $0.keepTimer(operation, attempt: attempt, timer) }
    if !isKept { timer.cancel() }
  }

  private func conclude(_ conclusion: CoordinatedDecision.Conclusion) {
    let final = GraphResult(storage, values, endings: conclusion.endings)
    let result: Result<GraphResult, any Error> =
      conclusion.failure.map { .failure($0) } ?? .success(final)
    guard let delivery else { return notify(result, final) }
    delivery.append([{ $0.runFinished(result) }])
    if let trace {
      let end = trace.run.end(conclusion.failure)
      delivery.append { trace.run.record(end) }
    }
    guard delivery.hasObservers else {
      // Notify the caller on this thread even if another thread is recording, as if the run were not traced.
      delivery.deliver()
      return notifyCaller(result, final)
    }
    delivery.deliver { self.notifyCaller(result, final) }
  }

  private func notifyCaller(_ result: Result<GraphResult, any Error>, _ final: GraphResult) {
    guard let trace else { return notify(result, final) }
    trace.run.performForCaller { notify(result, final) }
  }

  private func notify(_ result: Result<GraphResult, any Error>, _ final: GraphResult) {
    let registration = waiting.withLock { waiting in
      defer { waiting.registration = nil }
      waiting.result = result
      waiting.final = final
      waiting.isNotifying = true
      return waiting.registration
    }
    registration?.dispose()
    while let completions = waiting.withLock({ $0.takeCompletions() }) {
      for completion in completions { completion(result) }
    }
  }

  // MARK: Result

  /// Calls `completion` when the run has ended, or immediately if it already has, after all earlier completions.
  func onCompletion(_ completion: @escaping Completion) {
    let result: Result<GraphResult, any Error>? = waiting.withLock { waiting in
      guard let result = waiting.result, !waiting.isNotifying else {
        waiting.completions.append(completion)
        return nil
      }
      return result
    }
    if let result { completion(result) }
  }
}

extension CoordinatedRun: ResourceUser {
  func lookForResources() {
    // Another run returned the resources, so no operation of this run freed them.
    change { $0.log.lastFreed = nil }
  }
}

extension CoordinatedRun: OperationHost {
  private var storage: GraphStorage { isGrowing ? read { $0.graph.storage } : firstGraph }
  var table: OperationTable { storage.table }
  func name(of operation: Int32) -> String { table.name(of: operation) }

  // Read under the lock, because `places` changes only under it.
  var places: RunValues.Places { isGrowing ? read { _ in values.places } : firstPlaces }

  func span(of operation: Int32) -> Span { trace?.span(of: operation) ?? .none }

  /// An operation that has not ended counts as skipped.
  func ending(of operation: Int32) -> Ending {
    operation < 0 ? .succeeded : read { $0.nodes[Int(operation)].ending ?? .skipped }
  }

  func end(_ operation: Int32, _ failure: (any Error)?) {
    update { $0.finish(operation, failure) }
  }
}

/// The settings of a run, besides its graph and the values of its inputs.
struct RunSetup: Sendable {
  var width = Int.max
  var onFailure = OperationGraph.FailurePolicy.stop
  var resources: ResourcePool?
  var observers: [any GraphObserver] = []
  var isOpen = false
  /// Wraps each call of an operation; nil if nothing wraps it.
  var surrounding: CoordinatedRun.Surrounding?
  var isSuspended = false
  var isRecording = false
  var placement = Placement.pool
  var runtime: any Runtime
  var cancellation: Cancellation
  /// The name of the run in the trace; nil if other code records the run.
  var label: String?
}
