import AsyncRuntime
import Synchronization

extension PromiseNode {
  /// Has `listener`, whose source this is, told what comes of it.
  ///
  /// - Parameter counts: whether it is somebody for whose sake this one goes on.
  @usableFromInline
  final func add(_ listener: PromiseNode, counts: Bool = true) {
    var word = state.load(ordering: .acquiring)
    if word & (Flag.lazy | Flag.cancelsUnused) != 0 {
      if counts {
        countListener()
        beginIfLazy()
      }
      word = state.load(ordering: .acquiring)
    }
    while true {
      let isIdle = word & Flag.busy == 0
      if word & Flag.settled != 0, isIdle, tellAtOnce(listener) { return }
      let isConcluded = word & (Flag.settled | Flag.gone) != 0
      var flags = word & ~Flag.list
      if isConcluded { flags |= Flag.busy }
      let relays = word & (Flag.forwarded | Flag.relayed) == Flag.forwarded && !isConcluded
      if relays { flags |= Flag.relayed }
      listener.next = Self.reference(word)
      let bits = listener.bits(retaining: true)
      let (isDone, now) = state.compareExchange(
        expected: word, desired: flags | bits,
        successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
      if isDone {
        if isConcluded, isIdle { LaneContext.current.perform(self) }
        if relays { relay() }
        return
      }
      // It may still be the listener of nobody, so it is not to be in anybody's list.
      Self.reference(bits)?.release()
      listener.next = nil
      word = now
    }
  }

  final func countListener() {
    if state.load(ordering: .relaxed) & Flag.cancelsUnused != 0 {
      live.wrappingAdd(1, ordering: .acquiringAndReleasing)
    }
  }

  /// It listens no more, and yet that is no reason to cancel.
  final func discountListener() {
    if state.load(ordering: .relaxed) & Flag.cancelsUnused != 0 {
      live.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    }
  }

  /// Tells a listener of one that is settled, and has nobody else to tell, without putting it into the
  /// list, if that keeps the order.
  private func tellAtOnce(_ listener: PromiseNode) -> Bool {
    let lane = LaneContext.current
    switch listener.way(after: self, in: lane) {
    case .taking: listener.take(from: self)
    case .passing: listener.run(after: self, in: lane)
    case .here:
      // Whatever runs on the lane goes first, and those who come until then queue behind this one.
      if lane.isPerforming { return false }
      lane.performNested { listener.run(after: self, in: lane) }
    case .hop(let target): Hop(of: self, to: target, listener).schedule()
    }
    return true
  }

  /// Tells those who listen, in the order in which they came, until there are none.
  @usableFromInline final func run(in lane: LaneContext) {
    while true {
      let word = state.load(ordering: .acquiring)
      let isEmpty = word & Flag.list == 0
      let (isDone, _) = state.compareExchange(
        expected: word, desired: word & (isEmpty ? ~Flag.busy : ~Flag.list),
        ordering: .acquiringAndReleasing)
      guard isDone else { continue }
      if isEmpty { return }
      tell(word, in: lane)
    }
  }

  /// Tells those who are in the list of `word`, which has been taken out.
  final func tell(_ word: UInt, in lane: LaneContext) {
    let listeners = Self.reversed(Self.reference(word))
    if word & Flag.settled != 0 { tell(listeners, in: lane) } else { abandon(listeners) }
  }

  /// Where a handler that is added to this one can run here and now: if it is fulfilled and has nobody to tell,
  /// and nothing is in between. Then nobody need know of what comes of it until it has run.
  ///
  /// - Parameter isInline: whether the handler runs inline wherever the chain does.
  @usableFromInline
  final func laneToTellHere(isInline: Bool) -> LaneContext? {
    let word = state.load(ordering: .acquiring)
    guard word & (Flag.settled | Flag.busy | Flag.failed) == Flag.settled,
      isInline || contextReference.isInline, !contextReference.isCancellable,
      !contextReference.recordsChains
    else { return nil }
    let lane = LaneContext.current
    return lane.isPerforming ? nil : lane
  }

  /// From now on a handler of its chain runs on `lane`, which `laneToTellHere` has found.
  ///
  /// - Returns: what `leaveHandler` is to be given.
  @usableFromInline
  final func enterHandler(on lane: LaneContext) -> UnsafeRawPointer? {
    let chains = lane.chains
    let outer = chains.pointee.handler
    chains.pointee.handler = contextReference.pointer
    lane.beginPerforming()
    return outer
  }

  /// The handler has returned: what it has left behind runs.
  @usableFromInline
  final func leaveHandler(on lane: LaneContext, _ outer: UnsafeRawPointer?) {
    lane.endPerforming()
    lane.chains.pointee.handler = outer
  }

  /// What a promise that comes of this one has of its flags.
  @usableFromInline
  final var flagsOfNext: UInt { state.load(ordering: .relaxed) & Flag.cancelsUnused }

  private func tell(_ first: Unmanaged<PromiseNode>?, in lane: LaneContext) {
    var hop: Hop?
    TellingRound.each(first, of: self, tellsAdded: true, in: lane) { listener, _ in
      switch listener.way(after: self, in: lane) {
      case .taking: listener.take(from: self)
      case .passing, .here: listener.run(after: self, in: lane)
      case .hop(let target):
        if hop?.target !== target {
          hop?.schedule()
          hop = Hop(of: self, to: target)
        }
        hop?.append(listener)
      }
    }
    hop?.schedule()
  }

  /// This one has gone: so have those who wait for it.
  final func abandon(_ first: Unmanaged<PromiseNode>?) {
    var first = first
    let isCancelled = isCancelled
    while let listener = Self.popFirst(&first) {
      listener.loseSource(isCancelled: isCancelled)
    }
  }

  /// What it waits for will not come: it goes, too, or ends as cancelled.
  final func goWithoutSource(isCancelled: Bool) {
    guard seal(isCancelled ? Flag.cancelled : 0) else { return }
    takeSource()
    if isCancelled { finishAsCancelled() } else { letGo() }
  }

  /// How a listener is told.
  private enum Way {
    /// It gets the same result.
    case taking
    /// Its handler is not wanted, so nobody's code runs.
    case passing
    case here
    case hop(PromiseContext)
  }

  private func way(after source: PromiseNode, in lane: LaneContext) -> Way {
    let word = state.load(ordering: .acquiring)
    if word & Flag.adopter != 0 { return .taking }
    if word & Flag.sealed != 0 || !isWanted(after: source) { return .passing }
    if wants.contains(.inline) { return .here }
    let target = target
    // What went by way of the scheduler is to come first.
    let isThere =
      target.isAt(lane.chains.pointee.job) && source.hops.load(ordering: .acquiring) == 0
    return isThere ? .here : .hop(target)
  }

  // MARK: Lists

  /// The same list the other way round.
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
