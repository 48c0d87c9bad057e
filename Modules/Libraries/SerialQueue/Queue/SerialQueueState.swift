internal import AsyncRuntime
internal import DequeModule

/// The items of a serial queue, and whether the next one may start.
///
/// It decides and does nothing else. A transition changes the state and returns the actions that its caller
/// must perform, in order, after it has released the lock.
///
/// Invariant while the lock is free: if a queued item could start, a drainer is about to look for it. If an
/// item that arrives could start, the intake is asleep or a drainer is about to look.
struct SerialQueueState {
  typealias Action = SerialQueueAction
  typealias Actions = SerialQueueActions
  typealias Handler = @Sendable () -> Void

  /// Whether items may start.
  enum Gate {
    case open
    case paused
    /// An item failed: nothing enters or starts until the queue is resumed.
    case stopped(because: any Error, isPaused: Bool)
  }

  /// What the queue contains when the lock is released.
  enum Activity {
    /// Nothing, and the observers have been notified of it.
    case idle
    case busy
    /// One ordinary item runs, and only ordinary items are queued: see `exchange`.
    case ordinary
  }

  /// What the storage must do before it releases the lock.
  enum Settlement {
    case nothing
    /// Put the intake to sleep: the producer of the next item must update the state.
    case sleep
    /// Schedule a drainer.
    case drain
  }

  let label: String
  let width: Int
  let bound: Int
  let onFailure: SerialQueue.OnFailure

  var line = WaitingLine()
  var running = RunningItems()
  /// The items that wait for room, in the order of their arrival.
  var outside: Deque<QueuedItem> = []
  var epochs = Epochs<Handler>()

  var gate = Gate.open
  var activity = Activity.idle
  /// The queue was released, so nothing can resume it.
  var isAbandoned = false
  /// The drainers that are about to look for an item: scheduled, or returning from an item that has ended.
  var pendingDrainers = 0
  var idleObservers: [IdleObserver] = []
  /// The sequences of idle moments; nil until there is one.
  var idleMoments: Broadcast<Void>?

  /// The traced item that left its place last, and how many have.
  var leaver: Leaver?
  var leaveCount: UInt64 = 0

  init(label: String, width: Int, bound: Int?, onFailure: SerialQueue.OnFailure) {
    self.label = label
    self.width = max(width, 1)
    self.bound = bound.map { max($0, 1) } ?? .max
    self.onFailure = onFailure
  }

  var count: Int { line.count + running.count }
  var isFull: Bool { count >= bound || !outside.isEmpty }
  var isEmpty: Bool { line.count == 0 && running.isEmpty && outside.isEmpty }

  var isPaused: Bool {
    switch gate {
    case .open: false
    case .paused: true
    case .stopped(_, let isPaused): isPaused
    }
  }

  var isOpen: Bool { if case .open = gate { true } else { false } }
  var isStopped: Bool { if case .stopped = gate { true } else { false } }

  func place(of item: QueuedItem) -> SerialQueueError.Place { item.place(in: label) }

  // MARK: Before the lock is released

  /// Lets in the items that there is room for.
  mutating func fillRoom() -> Actions {
    var actions: Actions = nil
    while !outside.isEmpty, count < bound, let item = outside.popFirst() {
      actions.add(letIn(item))
    }
    return actions
  }

  mutating func settle() -> Settlement {
    // The next producer must learn that the queue has stopped.
    if isStopped { return .sleep }
    guard hasRoom, pendingDrainers == 0 else { return .nothing }
    guard line.hasFirst(isAlone: running.isEmpty) else {
      return line.wantsOrdinary ? .sleep : .nothing
    }
    pendingDrainers += 1
    return .drain
  }

  /// Classifies what the queue contains. The last transition before the lock is released.
  mutating func classify() -> Actions {
    guard isEmpty else {
      activity = isOrdinary ? .ordinary : .busy
      return nil
    }
    return becomeIdle() + endIdleMoments()
  }

  private mutating func becomeIdle() -> Actions {
    if case .idle = activity { return nil }
    activity = .idle
    return idleObservers.isEmpty ? nil : idleObservers.map { .call($0.handler) }
  }

  /// An abandoned queue that is empty will never have another item.
  private mutating func endIdleMoments() -> Actions {
    guard isAbandoned, let idleMoments else { return nil }
    self.idleMoments = nil
    return [.call { idleMoments.finish() }]
  }

  private var isOrdinary: Bool {
    width == 1 && isOpen && outside.isEmpty && running.count == 1 && !running.isBarrier
      && line.isOrdinary && epochs.isOrdinary
  }
}
