internal import DequeModule

/// What a serial queue knows of its items: which wait, which run, and whether somebody is at draining
/// it.
///
/// It decides and does nothing else: each method changes the state, and what is to be done about it
/// gathers in `effects`, which the caller performs once it has let go of the lock.
///
/// Invariant, between two holders of the lock: where an item could start, somebody is about to look
/// (`isScheduled`, or a drainer that is `returning`); and where an item that came could start, the intake is asleep or somebody is.
struct SerialQueueState {
  typealias Handler = @Sendable () -> Void
  typealias Effects = SerialQueueEffects

  let label: String
  let width: Int
  let bound: Int
  let onFailure: SerialQueue.OnFailure

  var line = WaitingLine()
  var epochs = Epochs<Handler>()
  var running = RunningItems()
  /// For room, in the order in which they came.
  var parked: Deque<QueuedItem> = []
  var isBarrierRunning = false

  /// Nothing starts until somebody resumes the queue.
  var isPaused = false
  /// Why nothing starts any more.
  var stopCause: (any Error)?
  /// Nobody can resume it.
  var isAbandoned = false

  /// Somebody has been asked to drain the queue and has not begun.
  var isScheduled = false
  /// How many drainers are about to come back from an item that has ended.
  var returningCount = 0

  /// Whether something has been in it since it was idle.
  var wasBusy = false
  var idleObservers: [IdleObserver] = []

  var effects: Effects?
  /// Whoever holds the lock is to see that the queue gets drained.
  var drains = false
  /// Whether nothing is there but ordinary items, one of which runs: see `exchange`.
  var isOrdinary = false

  /// Who left its place last, if the trace is told, and how many have.
  var leaver: Leaver?
  var leaveCount: UInt64 = 0

  init(label: String, width: Int, bound: Int?, onFailure: SerialQueue.OnFailure) {
    self.label = label
    self.width = max(width, 1)
    self.bound = bound.map { max($0, 1) } ?? .max
    self.onFailure = onFailure
  }

  var count: Int { line.count + running.count }
  var isFull: Bool { count >= bound || !parked.isEmpty }
  var isEmpty: Bool { line.count == 0 && running.isEmpty && parked.isEmpty }

  func place(of item: QueuedItem) -> SerialQueueError.Place { item.place(in: label) }

  // MARK: What is to be done

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

  mutating func affect(_ body: (Effects) -> Void) {
    let effects = self.effects ?? Effects()
    self.effects = effects
    body(effects)
  }

  mutating func discard(_ something: any Sendable) {
    affect { $0.discarded.append(something) }
  }

  // MARK: Before the lock is let go of

  /// Lets in whom there is room for, and sees to it that somebody looks where an item could start.
  ///
  /// - Returns: whether the intake is to be asleep: nothing is there to start, and somebody who brings
  ///   something is to say so.
  mutating func settle() -> Bool {
    while !parked.isEmpty, count < bound, let item = parked.popFirst() {
      letIn(item)
    }
    // Whoever brings something is to be told at once that the queue has stopped.
    if stopCause != nil { return true }
    guard hasRoom, !isScheduled, returningCount == 0 else { return false }
    guard line.hasFirst(isAlone: running.isEmpty) else { return line.wantsOrdinary }
    isScheduled = true
    drains = true
    return false
  }
}
