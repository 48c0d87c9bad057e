/// The lock and the effects of a serial queue: it does what its state decides, after the lock.
@usableFromInline
final class SerialQueueStorage: Sendable {
  typealias State = SerialQueueState

  let label: String
  let placement: Placement
  let runtime: any Runtime
  /// How long an item may take that does not say.
  let timeout: Duration?
  /// Where asynchronous functions run.
  let executor: SchedulerExecutor
  /// Whether it has a bound: then each item is let in under the lock.
  let isBounded: Bool
  /// Nil if nobody listens.
  let trace: QueueTrace?
  /// Whether what comes need not be let in under the lock.
  private let isSimple: Bool
  let intake = ItemIntake()
  private let state: Locked<State>

  init(
    label: String, placement: Placement, width: Int, bound: Int?, timeout: Duration?,
    onFailure: SerialQueue.OnFailure, runtime: any Runtime, isTold: Bool
  ) {
    self.label = label
    self.placement = placement
    self.timeout = timeout
    isBounded = bound != nil
    self.runtime = runtime
    let scheduler: any Scheduler =
      switch placement {
      case .main: runtime.main
      case .pool, .inline: runtime.pool
      case .scheduler(let scheduler): scheduler
      }
    executor = SchedulerExecutor(scheduler)
    trace = isTold ? QueueTrace(label, scheduler, on: runtime) : nil
    isSimple = bound == nil && trace == nil
    state = Locked(State(label: label, width: width, bound: bound, onFailure: onFailure))
  }

  deinit {
    // Items that nobody can start any more, one after another: a long chain needs no stack.
    let left = state.withLock { $0.line.removeAll() }
    _ = left
  }

  /// Reads or writes what the lock guards, without an effect.
  func withLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }

  /// Decides under the lock, with all that has come in before, and does after it what is to be done.
  @discardableResult
  func update<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    let (result, effects, drains) = state.withLock { state in
      while let item = intake.pop() { state.absorb(item) }
      let result = body(&state)
      settle(&state)
      return (result, state.takeEffects(), state.takeDrains())
    }
    if let effects { perform(effects) }
    if drains { scheduleDrain() }
    return result
  }

  /// Decides as `update` does, after whatever the caller has put in before, also if it cannot be taken yet: then
  /// the decision is put in behind it.
  func updateInTurn(_ decide: @escaping @Sendable (inout State) -> Void) {
    update { state in
      while true {
        switch intake.reach() {
        case .empty: return decide(&state)
        case .more: while let item = intake.pop() { state.absorb(item) }
        case .outOfReach:
          _ = intake.push(Decision(decide))
          return
        }
      }
    }
  }

  /// The same for a drainer, who looks at what has come in only if it matters.
  ///
  /// - Parameters:
  ///   - carrier: what the caller runs in, if it is one.
  ///   - body: says whether the caller wants the next item.
  /// - Returns: the item that the caller is to start.
  func next(in carrier: Carrier? = nil, after body: (inout State) -> Bool) -> QueuedItem? {
    let (item, effects, drains) = state.withLock { state in
      var item: QueuedItem?
      if body(&state) {
        if state.wantsIntake, let item = intake.pop() { state.absorb(item) }
        item = state.next()
        if let carrier, let item, item.kind == .asynchronous { state.attach(carrier, to: item) }
      }
      settle(&state)
      return (item, state.takeEffects(), state.takeDrains())
    }
    if let effects { perform(effects) }
    if drains { scheduleDrain() }
    return item
  }

  /// Runs an ordinary item, and those after it.
  ///
  /// - Parameter patience: how many at most.
  /// - Returns: the last that has been run, which has not been told to have ended; or the next one to be
  ///   started, if that is of another kind.
  func runOrdinary(
    _ first: consuming QueuedItem, patience: inout Int
  ) -> (last: QueuedItem?, next: QueuedItem?) {
    var item = Unmanaged.passRetained(first)
    let spare = SpareItems.ofThread
    while true {
      item._withUnsafeGuaranteedRef { unsafeDowncast($0, to: PlainItem.self).run() }
      patience -= 1
      var isKnown = true
      guard patience > 0,
        let next = state.withLock({ $0.exchange(&item, intake, isKnown: &isKnown) })
      else { return (item.takeRetainedValue(), nil) }
      if isKnown { item.release() } else { spare.put(item) }
      item = next
      guard item._withUnsafeGuaranteedRef({ $0.kind == .plain && $0.extras == nil }) else {
        return (nil, item.takeRetainedValue())
      }
    }
  }

  private func settle(_ state: inout State) {
    while true {
      while state.isEmpty || state.wantsIntake, let item = intake.pop() { state.absorb(item) }
      if !state.settle() || intake.fallAsleep() { break }
    }
    state.noteIdle()
  }

  /// Does what has been decided, in this order: the ends of items come before what waited for them.
  private func perform(_ effects: State.Effects) {
    for timer in effects.timers { timer.cancel() }
    for (item, error) in effects.failed {
      item.dropWork()
      item.fail(error, in: self)
    }
    for carrier in effects.carriers { carrier.cancel() }
    for handler in effects.handlers { handler() }
    for waiter in effects.waiters { waiter() }
  }

  // MARK: Coming

  /// Whether an item would have to wait for room.
  var isFull: Bool { isBounded && update { $0.isFull } }

  /// Appends a synchronous function, as cheaply as can be.
  @usableFromInline
  func append(
    _ work: consuming @escaping @Sendable () -> Void, file: StaticString, line: UInt
  ) -> TypedItem<Void> {
    let item = PlainItem.make(consume work, site: SourceSite(file: file, line: line))
    append(item)
    return item
  }

  /// Appends an item without options.
  @inline(__always)
  func append(_ item: QueuedItem) {
    if !isSimple {
      appendUnderLock(item)
    } else if intake.push(item) {
      update { _ in }
    }
  }

  @inline(never)
  private func appendUnderLock(_ item: QueuedItem) {
    trace?.submit(item)
    update { $0.enqueue(item) }
  }
}
