import AsyncRuntime
import Synchronization

extension PromiseNode {
  /// Adds a dependent, which will be notified of the node's result.
  ///
  /// - Parameter counts: whether the dependent counts as a reason to keep the node pending.
  @usableFromInline
  final func add(_ dependent: PromiseNode, counts: Bool = true) {
    var word = state.load(ordering: .acquiring)
    if word & (Flag.lazy | Flag.cancelsUnused) != 0 {
      if counts {
        countDependent()
        beginIfLazy()
      }
      word = state.load(ordering: .acquiring)
    }
    while true {
      let isIdle = word & Flag.busy == 0
      if word & Flag.settled != 0, isIdle, notifyImmediately(dependent) { return }
      let isConcluded = word & (Flag.settled | Flag.gone) != 0
      var flags = word & ~Flag.list
      if isConcluded { flags |= Flag.busy }
      let relays = word & (Flag.forwarded | Flag.relayed) == Flag.forwarded && !isConcluded
      if relays { flags |= Flag.relayed }
      dependent.next = Self.reference(word)
      let bits = dependent.bits(retaining: true)
      let (isDone, now) = state.compareExchange(
        expected: word, desired: flags | bits,
        successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
      if isDone {
        if isConcluded, isIdle { LaneContext.current.perform(self) }
        if relays { relay() }
        return
      }
      // The exchange failed. The dependent may now be notified directly. In that case it must not
      // be part of a list.
      Self.reference(bits)?.release()
      dependent.next = nil
      word = now
    }
  }

  final func countDependent() {
    if state.load(ordering: .relaxed) & Flag.cancelsUnused != 0 {
      live.wrappingAdd(1, ordering: .acquiringAndReleasing)
    }
  }

  /// Called when a dependent stops waiting, and the node must not be cancelled for that reason.
  final func discountDependent() {
    if state.load(ordering: .relaxed) & Flag.cancelsUnused != 0 {
      live.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    }
  }

  /// Notifies a dependent of a settled node directly, without adding it to the list, if this keeps the order of
  /// notification. The node must have no other dependents.
  ///
  /// - Returns: false if the dependent must be added to the list.
  private func notifyImmediately(_ dependent: PromiseNode) -> Bool {
    let lane = LaneContext.current
    switch dependent.notification(after: self, in: lane) {
    case .taking: dependent.take(from: self)
    case .passing: dependent.run(after: self, in: lane)
    case .here:
      // The code that runs on the lane goes first. Dependents added until then are queued behind this one.
      if lane.isPerforming { return false }
      lane.performNested { dependent.run(after: self, in: lane) }
    case .hop(let target): Hop(of: self, to: target, dependent).schedule(in: lane)
    }
    return true
  }

  /// Notifies the dependents in the order in which they were added, until none are left.
  @usableFromInline final func run(in lane: LaneContext) {
    while true {
      let word = state.load(ordering: .acquiring)
      let isEmpty = word & Flag.list == 0
      let (isDone, _) = state.compareExchange(
        expected: word, desired: word & (isEmpty ? ~Flag.busy : ~Flag.list),
        ordering: .acquiringAndReleasing)
      guard isDone else { continue }
      if isEmpty { return }
      notify(word, in: lane)
    }
  }

  /// Notifies the dependents in the list of `word`. The list has been taken out.
  final func notify(_ word: UInt, in lane: LaneContext) {
    let dependents = Self.reversed(Self.reference(word))
    if word & Flag.settled != 0 { notify(dependents, in: lane) } else { abandon(dependents) }
  }

  /// The lane on which a handler that is added to this node can run immediately; nil if it cannot. The
  /// node must be fulfilled and have no dependents to notify, and the handler must run inline. The
  /// chain must be neither recorded nor cancellable, and the lane must be idle. So no other code
  /// needs the new promise before the handler has run.
  ///
  /// - Parameter isInline: whether the handler runs inline, wherever the chain runs.
  @usableFromInline
  final func laneToNotifyHere(isInline: Bool) -> LaneContext? {
    let word = state.load(ordering: .acquiring)
    guard word & (Flag.settled | Flag.busy | Flag.failed) == Flag.settled,
      isInline || contextReference.isInline, !contextReference.isCancellable,
      !contextReference.recordsChains
    else { return nil }
    let lane = LaneContext.current
    return lane.isPerforming ? nil : lane
  }

  /// Marks that a handler of the chain runs on `lane`, which `laneToNotifyHere` has returned.
  ///
  /// - Returns: the value to pass to `leaveHandler`.
  @usableFromInline
  final func enterHandler(on lane: LaneContext) -> UnsafeRawPointer? {
    let chains = lane.chains
    let outer = chains.pointee.handler
    chains.pointee.handler = contextReference.pointer
    lane.beginPerforming()
    return outer
  }

  /// Marks that the handler has returned, and runs the work that it has queued.
  @usableFromInline
  final func leaveHandler(on lane: LaneContext, _ outer: UnsafeRawPointer?) {
    lane.endPerforming()
    lane.chains.pointee.handler = outer
  }

  /// The flags that a promise made from this one inherits.
  @usableFromInline
  final var flagsOfNext: UInt { state.load(ordering: .relaxed) & Flag.cancelsUnused }

  private func notify(_ first: Unmanaged<PromiseNode>?, in lane: LaneContext) {
    var hop: Hop?
    NotificationRound.each(first, of: self, notifiesAdded: true, in: lane) { dependent, _ in
      switch dependent.notification(after: self, in: lane) {
      case .taking: dependent.take(from: self)
      case .passing, .here: dependent.run(after: self, in: lane)
      case .hop(let target):
        if hop?.target.pointer != target.pointer {
          hop?.schedule(in: lane)
          hop = Hop(of: self, to: target)
        }
        hop?.append(dependent)
      }
    }
    hop?.schedule(in: lane)
  }

  /// Called when the node is abandoned: its dependents lose their source.
  final func abandon(_ first: Unmanaged<PromiseNode>?) {
    var first = first
    let isCancelled = isCancelled
    while let dependent = Self.popFirst(&first) {
      dependent.loseSource(isCancelled: isCancelled)
    }
  }

  /// Called when the source will never be settled: abandons the node, or settles it as cancelled.
  final func goWithoutSource(isCancelled: Bool) {
    guard seal(isCancelled ? Flag.cancelled : 0) else { return }
    takeSource()
    if isCancelled { finishAsCancelled() } else { abandon() }
  }

  /// The way in which a dependent is notified.
  private enum Notification {
    /// The dependent gets the same result.
    case taking
    /// The dependent has no handler for this outcome, so no user code runs.
    case passing
    case here
    case hop(ContextReference)
  }

  private func notification(after source: PromiseNode, in lane: LaneContext) -> Notification {
    let word = state.load(ordering: .acquiring)
    if word & Flag.adopter != 0 { return .taking }
    if word & Flag.sealed != 0 || !isWanted(after: source) { return .passing }
    if wants.contains(.inline) { return .here }
    let target = target
    // Dependents that were sent through the scheduler must run first.
    let job = lane.chains.pointee.job
    let isThere = target.pointee { $0.isAt(job) } && !source.hasHops
    return isThere ? .here : .hop(target)
  }

  // MARK: Lists

  /// The list in reverse order.
  static func reversed(_ list: Unmanaged<PromiseNode>?) -> Unmanaged<PromiseNode>? {
    var (rest, reversed) = (list, nil as Unmanaged<PromiseNode>?)
    while let node = rest {
      rest = node._withUnsafeGuaranteedRef { node in
        defer { node.next = reversed }
        return node.next
      }
      reversed = node
    }
    return reversed
  }

  static func popFirst(_ list: inout Unmanaged<PromiseNode>?) -> PromiseNode? {
    guard let node = list?.takeRetainedValue() else { return nil }
    list = node.next
    node.next = nil
    return node
  }
}
