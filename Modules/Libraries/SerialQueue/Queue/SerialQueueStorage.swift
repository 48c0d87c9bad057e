public import AsyncRuntime

/// A serial queue behind its lock. It performs the actions that its state decides on, after it has
/// released the lock. As work of a lane, it is an inline drainer.
@usableFromInline
final class SerialQueueStorage: LaneWork, Sendable {
  typealias State = SerialQueueState
  typealias Action = SerialQueueAction
  typealias Actions = SerialQueueActions

  let label: String
  let placement: Placement
  let runtime: any Runtime
  /// The timeout of items that have none of their own.
  let timeout: Duration?
  /// The executor of asynchronous functions.
  let executor: SchedulerExecutor
  /// Whether a drainer starts asynchronous functions itself. False on a virtual clock, where each start is a job that
  /// can be explored. Also false inline, where a drainer may run elsewhere than the functions.
  let startsHere: Bool
  /// Whether the queue has a bound. If so, each item enters under the lock.
  let isBounded: Bool
  /// Whether only one item can run at a time.
  let isOneWide: Bool
  /// Records the queue; nil if no trace records it.
  let trace: QueueTrace?
  /// Whether arriving items may enter without the lock.
  private let isSimple: Bool
  let intake = ItemIntake()
  private let state: Locked<State>

  init(
    label: String, placement: Placement, width: Int, bound: Int?, timeout: Duration?,
    onFailure: SerialQueue.FailurePolicy, runtime: any Runtime, isTraced: Bool
  ) {
    self.label = label
    self.placement = placement
    self.timeout = timeout
    isBounded = bound != nil
    isOneWide = width <= 1
    self.runtime = runtime
    let scheduler: any Scheduler =
      switch placement {
      case .main: runtime.main
      case .pool, .inline: runtime.pool
      case .scheduler(let scheduler): scheduler
      }
    executor = SchedulerExecutor(scheduler)
    let isInline = if case .inline = placement { true } else { false }
    startsHere = runtime.clockKind == .live && !isInline
    trace = isTraced ? QueueTrace(label, scheduler, on: runtime) : nil
    isSimple = bound == nil && trace == nil
    state = Locked(State(label: label, width: width, bound: bound, onFailure: onFailure))
  }

  deinit {
    // Releases the items that can never start, one by one, so that a long chain needs no stack.
    let left = state.withLock { $0.line.removeAll() }
    _ = left
  }

  /// Reads or writes the state under the lock, without any action.
  func withLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }

  /// Absorbs all arrivals and makes a decision, both under the lock. Then performs the actions
  /// without the lock.
  func update(_ transition: (inout State) -> Actions) {
    decide { ((), transition(&$0)) }
  }

  /// Absorbs all arrivals, and then reads the state.
  func read<Result: Sendable>(_ body: (State) -> Result) -> Result { decide { (body($0), nil) } }

  /// Like `update`, but also returns a result.
  func decide<Result: Sendable>(_ transition: (inout State) -> (Result, Actions)) -> Result {
    var actions: Actions = nil
    let (result, settlement) = state.withLock { state in
      absorb(into: &state, &actions)
      let (result, more) = transition(&state)
      actions.add(more)
      return (result, settle(&state, &actions))
    }
    perform(actions, then: settlement)
    return result
  }

  /// Like `update`, but always decides after the items that the caller enqueued before. If one of
  /// them cannot be absorbed yet, the decision is enqueued behind it.
  func updateInTurn(_ decide: @escaping @Sendable (inout State) -> Actions) {
    update { state in
      var actions: Actions = nil
      while true {
        switch intake.reach() {
        case .empty: return actions + decide(&state)
        case .more: absorb(into: &state, &actions)
        case .outOfReach:
          _ = intake.push(Decision(decide))
          return actions
        }
      }
    }
  }

  /// Makes a decision for a drainer. It absorbs arrivals only if they matter.
  ///
  /// - Parameters:
  ///   - carrier: the carrier in which the caller runs, if any.
  ///   - decide: also returns whether the caller wants the next item. Nil if nothing follows from the decision.
  /// - Returns: the item that the caller must start.
  @inline(__always)
  func next(
    in carrier: Carrier? = nil, after decide: (inout State) -> (wantsNext: Bool, Actions)?
  ) -> QueuedItem? {
    var actions: Actions = nil
    let (item, settlement) = state.withLock { state -> (QueuedItem?, State.Settlement) in
      guard let (wantsNext, first) = decide(&state) else { return (nil, .nothing) }
      actions = first
      var item: QueuedItem?
      // A carrier that is unusable runs no other item.
      if wantsNext, carrier?.isUnusable != true {
        if state.wantsIntake, let item = intake.pop() { actions.add(state.absorb(item)) }
        item = state.next()
        if let carrier, let item, item.kind == .asynchronous {
          actions.add(state.attach(carrier, to: item))
        }
      }
      return (item, settle(&state, &actions))
    }
    perform(actions, then: settlement)
    return item
  }

  /// Runs an ordinary item, and the ordinary items after it.
  ///
  /// - Parameter patience: the maximum number of items to run.
  /// - Returns: either the last item, which has run but is not finished, or the next item to start,
  ///   if it is not ordinary.
  func runOrdinary(
    _ first: consuming QueuedItem, patience: inout Int
  ) -> (last: QueuedItem?, next: QueuedItem?) {
    var item = Unmanaged.passRetained(first)
    let spare = SpareItems.ofThread
    while true {
      item._withUnsafeGuaranteedRef { unsafeDowncast($0, to: PlainItem.self).run() }
      patience -= 1
      guard patience > 0 else { return (item.takeRetainedValue(), nil) }
      switch state.withLock({ $0.exchange(&item, intake) }) {
      case .finish(let actions):
        if let actions { perform(actions) }
        return (item.takeRetainedValue(), nil)
      case .start(let next, let isLastUnused):
        if isLastUnused { spare.put(item) } else { item.release() }
        item = next
      }
      guard item._withUnsafeGuaranteedRef({ $0.kind == .plain && $0.extras == nil }) else {
        return (nil, item.takeRetainedValue())
      }
    }
  }

  private func absorb(into state: inout State, _ actions: inout Actions) {
    while let item = intake.pop() { actions.add(state.absorb(item)) }
  }

  /// Completes a decision: settles the state and adds the actions that follow.
  ///
  /// - Parameter actions: the actions of the decision.
  private func settle(_ state: inout State, _ actions: inout Actions) -> State.Settlement {
    var settlement: State.Settlement
    repeat {
      while state.isEmpty || state.wantsIntake, let item = intake.pop() {
        actions.add(state.absorb(item))
      }
      if !state.outside.isEmpty { actions.add(state.fillRoom()) }
      settlement = state.settle()
    } while settlement == .sleep && !intake.fallAsleep()
    actions.add(state.classify())
    if let garbage = state.line.takeGarbage() { actions.add([.releaseItems(garbage)]) }
    return settlement
  }

  @inline(__always)
  private func perform(_ actions: Actions, then settlement: State.Settlement) {
    if let actions { perform(actions) }
    if settlement == .drain { scheduleDrain() }
  }

  @inline(never)
  private func perform(_ actions: [Action]) {
    for action in actions {
      switch action {
      case .fail(let item, let error):
        item.dropWork()
        item.fail(error, in: self)
      case .cancel(let carrier): carrier.cancel()
      case .cancelTimer(let timer): timer.cancel()
      case .call(let handler): handler()
      case .releaseItems, .releaseError, .releaseHandlers: break
      }
    }
  }

  // MARK: Enqueueing

  /// Whether an item would have to wait for room.
  var isFull: Bool { isBounded && read { $0.isFull } }

  /// Appends a synchronous function, at the lowest possible cost.
  @usableFromInline
  func append(
    _ work: consuming @escaping @Sendable () -> Void, file: StaticString, line: UInt
  ) -> TypedItem<Void> {
    let item = PlainItem.make(consume work, site: SourceSite(file: file, line: line))
    append(item)
    return item
  }

  /// Appends completion-handler work.
  @usableFromInline
  func append(
    _ work: consuming @escaping @Sendable (SerialQueue.Done<Void>) -> Void,
    _ options: [SerialQueue.ItemOption], file: StaticString, line: UInt
  ) -> TypedItem<Void> {
    let item = PlainCallbackItem(work, site: SourceSite(file: file, line: line))
    append(item, options)
    return item
  }

  /// Appends a synchronous function with options.
  @usableFromInline
  func append(
    _ work: consuming @escaping @Sendable () -> Void, _ options: [SerialQueue.ItemOption],
    file: StaticString, line: UInt
  ) -> TypedItem<Void> {
    let item = PlainItem(work, site: SourceSite(file: file, line: line))
    append(item, options)
    return item
  }

  /// Appends an item.
  @inline(__always)
  func append(_ item: QueuedItem, _ options: [SerialQueue.ItemOption]) {
    guard !options.isEmpty else { return append(item) }
    item.apply(options)
    trace?.submit(item)
    updateInTurn { $0.enqueue(item) }
  }

  /// Appends an item without options.
  @inline(__always)
  func append(_ item: QueuedItem) {
    if !isSimple {
      appendUnderLock(item)
    } else if intake.push(item) {
      update { _ in nil }
    }
  }

  /// Appends an item that has been submitted to the trace, as soon as there is room.
  func appendWhenRoom(_ item: QueuedItem, hasOptions: Bool) {
    if !isSimple || hasOptions {
      updateInTurn { $0.enqueueWhenRoom(item) }
    } else if intake.push(item) {
      update { _ in nil }
    }
  }

  @inline(never)
  private func appendUnderLock(_ item: QueuedItem) {
    trace?.submit(item)
    update { $0.enqueue(item) }
  }
}
