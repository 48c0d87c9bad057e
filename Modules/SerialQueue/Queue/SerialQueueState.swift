internal import DequeModule

/// What a serial queue knows of its items: which wait, which run, and whether somebody is at draining
/// it.
///
/// It decides and does nothing else: each method changes the state, and what is to be done about it
/// gathers in `effects`, which the caller performs once it has let go of the lock.
///
/// Invariant, between two holders of the lock: where an item could start, somebody is about to look
/// (`isLookedAfter`); and where an item that came could start, the intake is asleep or somebody is.
struct SerialQueueState {
  typealias Handler = @Sendable () -> Void

  /// What is to be done after the lock.
  ///
  /// Safe to share: it is the holder's of the lock, and then that one's alone.
  final class Effects: @unchecked Sendable {
    /// These have ended without having run to their end.
    var failed: [(item: QueuedItem, error: any Error)] = []
    /// Whether those are told before the others have ended, not after.
    var tellsFirst = false
    /// To be told of a cancellation.
    var carriers: [Carrier] = []
    var handlers: [Handler] = []
    /// Those who have waited for the end of items, or for the queue to be idle.
    var waiters: [Handler] = []
    var timers: [any Cancellable] = []
    /// To be let go of, which may run code of a user's.
    var discarded: [any Sendable] = []
  }

  let label: String
  let width: Int
  let bound: Int
  let onFailure: SerialQueue.OnFailure

  var line = WaitingLine()
  private var epochs = Epochs<Handler>()
  private(set) var running = RunningItems()
  /// For room, in the order in which they came.
  private var parked: Deque<QueuedItem> = []
  private var isBarrierRunning = false

  private(set) var isPaused = false
  /// Why nothing starts any more.
  private(set) var stopCause: (any Error)?
  /// Nobody can resume it.
  private var isAbandoned = false

  /// Somebody has been asked to drain the queue and has not begun.
  private var isScheduled = false
  /// How many drainers are about to come back from an item that has ended.
  private var returningCount = 0

  /// Whether something has been in it since it was idle.
  private var wasBusy = false
  private var idleObservers: [IdleObserver] = []

  private var effects: Effects?
  /// Whoever holds the lock is to see that the queue gets drained.
  private var drains = false
  /// Whether nothing is there but ordinary items, one of which runs: see `exchange`.
  private var isOrdinary = false

  init(label: String, width: Int, bound: Int?, onFailure: SerialQueue.OnFailure) {
    self.label = label
    self.width = max(width, 1)
    self.bound = bound.map { max($0, 1) } ?? .max
    self.onFailure = onFailure
  }

  var count: Int { line.count + running.count }
  var isFull: Bool { count >= bound || !parked.isEmpty }
  var isEmpty: Bool { line.count == 0 && running.isEmpty && parked.isEmpty }

  private func place(of item: QueuedItem) -> SerialQueueError.Place { item.place(in: label) }

  /// What is to be done, if something is.
  mutating func takeEffects() -> Effects? {
    if line.hasGarbage { discard(line.takeGarbage()) }
    return effects.take()
  }

  /// Whether the caller is to see that the queue gets drained.
  mutating func takeDrains() -> Bool {
    defer { drains = false }
    return drains
  }

  private mutating func affect(_ body: (Effects) -> Void) {
    let effects = self.effects ?? Effects()
    self.effects = effects
    body(effects)
  }

  private mutating func discard(_ something: any Sendable) {
    affect { $0.discarded.append(something) }
  }

  // MARK: Coming

  /// Lets an item in that has come through the intake: one without options.
  ///
  /// - Parameter item: is kept already.
  mutating func absorb(_ item: Unmanaged<QueuedItem>) {
    if stopCause != nil { return refuse(item.takeRetainedValue()) }
    item._withUnsafeGuaranteedRef { open($0) }
    line.appendKept(item)
  }

  /// Lets an item in, with all there is to it.
  mutating func enqueue(_ item: QueuedItem) {
    if stopCause != nil { return refuse(item) }
    if item.traits.contains(.cancelled) { return fail(item, because: CancellationError()) }
    if coalesce(item) { return }
    if count >= bound { return fail(item, .full(place(of: item), bound: bound)) }
    insert(item)
  }

  /// Lets an item in as soon as there is room.
  ///
  /// - Returns: whether it is in, or has ended, by now.
  @discardableResult
  mutating func enqueueWhenRoom(_ item: QueuedItem) -> Bool {
    if stopCause == nil, isFull, !item.traits.contains(.cancelled), !coalesces(item) {
      item.phase = .parked
      parked.append(item)
      return false
    }
    enqueue(item)
    item.extras?.isAdmitted = item.phase == .waiting
    return true
  }

  private mutating func insert(_ item: QueuedItem) {
    open(item)
    line.append(item)
  }

  private mutating func open(_ item: QueuedItem) {
    wasBusy = true
    item.phase = .waiting
    item.epoch = epochs.current
    epochs.open(1)
  }

  private func coalesces(_ item: QueuedItem) -> Bool {
    item.extras?.key.map { line.item(withKey: $0.name) != nil } ?? false
  }

  /// Goes by the rule of an item whose key waits already.
  private mutating func coalesce(_ item: QueuedItem) -> Bool {
    guard let key = item.extras?.key, let older = line.item(withKey: key.name) else { return false }
    switch key.rule {
    case .firstWins: fail(item, .superseded(place(of: item), key: key.name))
    case .latestWins:
      line.substitute(item, forItemWithKey: key.name)
      open(item)
      end(older)
      fail(older, .superseded(place(of: older), key: key.name))
    }
    return true
  }

  private mutating func refuse(_ item: QueuedItem) {
    guard let stopCause else { return }
    fail(item, .stopped(place(of: item), because: stopCause))
  }

  private mutating func fail(_ item: QueuedItem, _ error: SerialQueueError) {
    fail(item, because: error)
  }

  private mutating func fail(_ item: QueuedItem, because error: any Error) {
    item.phase = .failing
    affect { $0.failed.append((item, error)) }
  }

  /// An item that counted among those in the queue does not any more.
  private mutating func end(_ item: QueuedItem) {
    let waiters = epochs.close(item.epoch)
    if !waiters.isEmpty { affect { $0.waiters += waiters } }
  }

  // MARK: Running

  /// Whether one more item could run.
  private var hasRoom: Bool { !isPaused && running.count < width && !isBarrierRunning }

  /// Whether it matters if something has come in.
  var wantsIntake: Bool { hasRoom && line.wantsOrdinary || stopCause != nil }

  /// Takes the item to be started now, if there is one.
  mutating func next() -> QueuedItem? {
    guard hasRoom, let item = line.popFirst(isAlone: running.isEmpty) else { return nil }
    item.phase = .running
    item.traits.insert(.onDrainer)
    isBarrierRunning = item.traits.contains(.barrier)
    running.append(item)
    return item
  }

  /// An asynchronous item that has been taken runs in `carrier` from now on.
  mutating func attach(_ carrier: Carrier, to item: QueuedItem) {
    item.traits.remove(.onDrainer)
    item.carrier = carrier
    if item.traits.contains(.cancelled) {
      carrier.spoil()
      affect { $0.carriers.append(carrier) }
    }
  }

  /// An ordinary item has ended, and ordinary ones wait or come: what `finish` and `next` do in most cases, as
  /// quickly as can be, and without counting references.
  ///
  /// - Parameters:
  ///   - item: one of kind `plain` that the caller has run, and keeps.
  ///   - intake: where the next one comes from if none waits.
  /// - Returns: the item that the caller is to start, and keeps from now on; nil if nothing has changed.
  @inline(__always)
  mutating func exchange(
    _ item: Unmanaged<QueuedItem>, _ intake: ItemIntake
  ) -> Unmanaged<QueuedItem>? {
    let isEndOrdinary = item._withUnsafeGuaranteedRef {
      $0.phase == .running && $0.extras == nil && !$0.traits.contains(.awaited)
    }
    guard isOrdinary, isEndOrdinary else { return nil }
    let epoch = epochs.current
    var taken = line.popOrdinary()
    if taken == nil {
      // One ends and one comes: as many are open as before.
      taken = intake.pop()
    } else {
      epochs.closeOrdinary()
    }
    guard let next = taken else { return nil }
    item._withUnsafeGuaranteedRef { $0.phase = .ended }
    next._withUnsafeGuaranteedRef {
      $0.phase = .running
      $0.epoch = epoch
      $0.traits.insert(.onDrainer)
    }
    running.replaceOnly(by: next)
    return next
  }

  private func judgeOrdinary() -> Bool {
    width == 1 && !isPaused && stopCause == nil && parked.isEmpty && running.count == 1
      && line.isOrdinary && epochs.isOrdinary && !isBarrierRunning
  }

  /// The draining that was asked for has begun.
  mutating func beginDraining() { isScheduled = false }

  /// A drainer is back from the code that started `item`.
  mutating func comeBack(from item: QueuedItem) {
    item.traits.remove(.onDrainer)
    if item.traits.contains(.returning) {
      item.traits.remove(.returning)
      returningCount -= 1
    }
  }

  /// An item that ran has ended; its phase says so already.
  ///
  /// - Parameters:
  ///   - error: why, if it failed.
  ///   - isBack: whether a drainer who is about to ask for the next one says so.
  mutating func finish(_ item: QueuedItem, _ error: (any Error)?, isBack: Bool = false) {
    if item.traits.contains(.barrier) { isBarrierRunning = false }
    running.remove(item)
    if let extras = item.extras { release(extras) }
    end(item)
    if isBack {
      item.traits.remove(.onDrainer)
    } else if item.traits.contains(.onDrainer) {
      item.traits.insert(.returning)
      returningCount += 1
    }
    if let error, !(error is CancellationError) { heed(error) }
  }

  private mutating func release(_ extras: ItemExtras) {
    if let timer = extras.timer.take() { affect { $0.timers.append(timer) } }
    if !extras.cancelHandlers.isEmpty {
      discard(extras.cancelHandlers)
      extras.cancelHandlers = []
    }
  }

  /// Does about a failure what the policy says.
  private mutating func heed(_ error: any Error) {
    switch onFailure {
    case .goOn: break
    case .pause: pause()
    case .stop:
      guard stopCause == nil else { return }
      stopCause = error
      for item in removeWaiting() { refuse(item) }
    }
  }

  /// The time of an item is over.
  mutating func timeOut(_ item: QueuedItem, after timeout: Duration) {
    guard item.phase == .running else { return }
    let error = SerialQueueError.timedOut(place(of: item), after: timeout)
    tellCancelled(item)
    affect { $0.tellsFirst = true }
    fail(item, error)
    // Its drainer may never come back.
    item.traits.remove(.onDrainer)
    finish(item, error)
  }

  // MARK: Cancelling

  mutating func cancel(_ item: QueuedItem) {
    switch item.phase {
    case .new: item.traits.insert(.cancelled)
    case .parked:
      parked.removeAll { $0 === item }
      admit(item)
      fail(item, because: CancellationError())
    case .waiting:
      line.remove(item)
      end(item)
      fail(item, because: CancellationError())
    case .running: tellCancelled(item)
    case .failing, .ended: break
    }
  }

  mutating func cancelParked(_ item: QueuedItem) {
    if item.phase == .parked || item.phase == .new { cancel(item) }
  }

  mutating func cancelPending() {
    for item in removeWaiting() { fail(item, because: CancellationError()) }
  }

  mutating func cancelRunning() {
    for item in running.all { tellCancelled(item) }
  }

  private mutating func tellCancelled(_ item: QueuedItem) {
    guard !item.traits.contains(.cancelled) else { return }
    item.traits.insert(.cancelled)
    if let carrier = item.carrier {
      carrier.spoil()
      affect { $0.carriers.append(carrier) }
    }
    if let extras = item.extras, !extras.cancelHandlers.isEmpty {
      let handlers = extras.cancelHandlers
      extras.cancelHandlers = []
      affect { $0.handlers += handlers }
    }
  }

  /// Takes out all that wait, for room or for their turn.
  private mutating func removeWaiting() -> [QueuedItem] {
    var items = line.removeAll()
    for item in items { end(item) }
    for item in parked { admit(item) }
    items += parked
    parked = []
    return items
  }

  // MARK: Pausing

  mutating func pause() {
    isPaused = true
    if isAbandoned { abandonWaiting() }
  }

  mutating func resume() {
    isPaused = false
    stopCause = nil
  }

  /// Nobody is left who could resume the queue.
  mutating func abandon() {
    isAbandoned = true
    if isPaused { abandonWaiting() }
  }

  private mutating func abandonWaiting() {
    for item in removeWaiting() { fail(item, .abandoned(place(of: item))) }
  }

  // MARK: Waiting for the end

  /// Keeps `waiter` until every item so far has ended.
  ///
  /// - Returns: whether that is so already; then it is not kept.
  mutating func wait(_ waiter: @escaping Handler) -> Bool { epochs.wait(waiter) }

  mutating func add(_ observer: IdleObserver) { idleObservers.append(observer) }

  mutating func remove(_ observer: IdleObserver) {
    guard let index = idleObservers.firstIndex(where: { $0 === observer }) else { return }
    discard(idleObservers.remove(at: index))
  }

  // MARK: Before the lock is let go of

  /// Lets in whom there is room for, and sees to it that somebody looks where an item could start.
  ///
  /// - Returns: whether the intake is to be asleep: nothing is there to start, and somebody who brings
  ///   something is to say so.
  mutating func settle() -> Bool {
    while !parked.isEmpty, count < bound, let item = parked.popFirst() {
      enqueue(item)
      item.extras?.isAdmitted = item.phase == .waiting
      admit(item)
    }
    // Whoever brings something is to be told at once that the queue has stopped.
    if stopCause != nil { return true }
    guard hasRoom, !isScheduled, returningCount == 0 else { return false }
    guard line.hasFirst(isAlone: running.isEmpty) else { return line.wantsOrdinary }
    isScheduled = true
    drains = true
    return false
  }

  private mutating func admit(_ item: QueuedItem) {
    guard let extras = item.extras, let onAdmission = extras.onAdmission.take() else { return }
    affect { $0.handlers.append(onAdmission) }
  }

  /// Tells those who want to know if it has become idle. The last thing under the lock.
  mutating func noteIdle() {
    isOrdinary = judgeOrdinary()
    guard wasBusy, isEmpty else { return }
    wasBusy = false
    guard !idleObservers.isEmpty else { return }
    let handlers = idleObservers.map(\.handler)
    affect { $0.waiters += handlers }
  }
}
