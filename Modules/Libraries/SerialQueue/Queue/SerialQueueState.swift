internal import AsyncRuntime
internal import DequeModule

/// The items of a serial queue, and whether the next one may start.
///
/// The state makes decisions and does nothing else. A transition changes the state and returns
/// actions. Its caller must perform them, in order, after it has released the lock.
///
/// Invariant while the lock is free: if a queued item could start, a drainer is about to look for
/// it. If an arriving item could start, the intake is asleep or a drainer is about to look.
struct SerialQueueState {
  typealias Action = SerialQueueAction
  typealias Actions = SerialQueueActions
  typealias Handler = @Sendable () -> Void

  /// Whether items may start.
  enum Gate {
    case open
    case suspended
    /// An item failed: nothing enters or starts until the queue is resumed.
    case stopped(because: any Error, isSuspended: Bool)
  }

  /// The content of the queue when the lock is released.
  enum Activity {
    /// The queue contains nothing, and the observers have been notified.
    case idle
    case busy
    /// One ordinary item is running, and only ordinary items are queued: see `exchange`.
    case ordinary
  }

  /// The step that the storage must take before it releases the lock.
  enum Settlement {
    case nothing
    /// Put the intake to sleep. The producer of the next item must then update the state.
    case sleep
    /// Schedule a drainer.
    case drain
  }

  let label: String
  let width: Int
  let bound: Int
  let onFailure: SerialQueue.FailurePolicy

  var line = WaitingLine()
  var running = RunningItems()
  /// The items that wait for room, in the order of their arrival.
  var outside: Deque<QueuedItem> = []
  var epochs = Epochs<Handler>()

  var gate = Gate.open
  var activity = Activity.idle
  /// Whether the queue was released, so that nothing can resume it.
  var isAbandoned = false
  /// The number of drainers that are scheduled to look for an item.
  var pendingDrainers = 0
  /// The number of drainers that look for an item as soon as the code of an item that has ended returns to them.
  var returningDrainers = 0
  var idleObservers: [IdleObserver] = []
  /// The sequences of idle moments; nil until one is made.
  var idleMoments: Broadcast<Void>?

  /// The traced item that was the last to leave its place. `leaveCount` counts all items that have
  /// left theirs.
  var leaver: Leaver?
  var leaveCount: UInt64 = 0

  init(label: String, width: Int, bound: Int?, onFailure: SerialQueue.FailurePolicy) {
    self.label = label
    self.width = max(width, 1)
    self.bound = bound.map { max($0, 1) } ?? .max
    self.onFailure = onFailure
  }

  /// The number of items that have not ended.
  var count: Int { line.count + running.unendedCount }
  /// Whether the bound allows no other item.
  var isAtBound: Bool { bound != .max && count >= bound }
  var isFull: Bool { isAtBound || !outside.isEmpty }
  var isEmpty: Bool { running.isEmpty && line.count == 0 && outside.isEmpty }

  var isSuspended: Bool {
    switch gate {
    case .open: false
    case .suspended: true
    case .stopped(_, let isSuspended): isSuspended
    }
  }

  var isOpen: Bool { if case .open = gate { true } else { false } }
  var isStopped: Bool { if case .stopped = gate { true } else { false } }

  func place(of item: QueuedItem) -> SerialQueueError.Place { item.place(in: label) }

  // MARK: Before the lock is released

  /// Lets in items that wait for room, as long as there is room.
  @inline(never)
  mutating func fillRoom() -> Actions {
    var actions: Actions = nil
    while !outside.isEmpty, !isAtBound, let item = outside.popFirst() {
      actions.add(letIn(item))
    }
    return actions
  }

  mutating func settle() -> Settlement {
    // With the intake asleep, the next producer learns that the queue has stopped.
    if isStopped { return .sleep }
    guard hasRoom, pendingDrainers == 0, running.count + returningDrainers < width else {
      return .nothing
    }
    guard line.hasFirst(isAlone: running.isEmpty) else {
      return line.wantsOrdinary ? .sleep : .nothing
    }
    pendingDrainers += 1
    return .drain
  }

  /// Classifies the content of the queue. This is the last transition before the lock is released.
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

  /// Ends the sequences of idle moments. An abandoned queue that is empty gets no more items.
  private mutating func endIdleMoments() -> Actions {
    guard isAbandoned, let idleMoments else { return nil }
    self.idleMoments = nil
    return [.call { idleMoments.finish() }]
  }

  private var isOrdinary: Bool {
    width == 1 && running.isOrdinary && isOpen && outside.isEmpty && line.isOrdinary
      && epochs.isOrdinary
  }
}
