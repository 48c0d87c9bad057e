import AsyncRuntime
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension PromiseNode {
  /// Settles it as cancelled, at once, and then what it waited for if nobody else is left who listens
  /// to that, and it asked for it; and so on, up the chain.
  ///
  /// - Returns: false if it was settled.
  @discardableResult
  final func cancel() -> Bool {
    guard seal(Flag.cancelled) else { return false }
    var node = self
    while true {
      let (source, isCounted) = node.takeOutSource()
      node.finishAsCancelled()
      node.cancelMoved()
      node.wasCancelled()
      guard let source, isCounted, source.loseListener(), source.seal(Flag.cancelled) else {
        return true
      }
      node = source
    }
  }

  /// One of its listeners has been sealed and will not be told.
  ///
  /// - Returns: whether that was the last, and it asked to be cancelled then.
  private final func loseListener() -> Bool {
    let word = state.load(ordering: .acquiring)
    if word & (Flag.settled | Flag.gone) != 0 { return false }
    if word & Flag.cancelsUnused != 0,
      live.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
    {
      return true
    }
    let lost = lost.wrappingAdd(1, ordering: .relaxed).newValue
    if lost >= lostLimit.load(ordering: .relaxed) { clearAway() }
    return false
  }

  /// Somebody who took an interest in it without listening has none any more.
  final func loseInterest() {
    if loseListener() { cancel() }
  }

  /// Takes those who were cancelled out of the list, so that what they hold is let go of.
  ///
  /// - Complexity: O(*n*) for *n* listeners, and O(1) for each that goes, averaged over many.
  private final func clearAway() {
    guard let listeners = takePending() else { return }
    lost.store(0, ordering: .relaxed)
    var (rest, kept, last) =
      (Optional(listeners), nil as Unmanaged<PromiseNode>?, nil as Unmanaged<PromiseNode>?)
    var count: UInt32 = 0
    while let node = Self.popFirst(&rest) {
      if node.isSealed { continue }
      let reference = Unmanaged.passRetained(node)
      if let last {
        last._withUnsafeGuaranteedRef { $0.next = reference }
      } else {
        kept = reference
      }
      last = reference
      count += 1
    }
    lostLimit.store(1 + count / 2, ordering: .relaxed)
    putBack(kept, last)
  }

  /// Takes the listeners of one that is pending in hand, the latest first, if nobody else has them.
  final func takePending() -> Unmanaged<PromiseNode>? {
    var word = state.load(ordering: .acquiring)
    while word & (Flag.settled | Flag.gone | Flag.busy) == 0, word & Flag.list != 0 {
      let (isDone, now) = state.compareExchange(
        expected: word, desired: word & ~Flag.list | Flag.busy,
        successOrdering: .acquiringAndReleasing, failureOrdering: .acquiring)
      if isDone { return Self.reference(word) }
      word = now
    }
    return nil
  }

  /// Puts listeners, the latest first, behind those that have come meanwhile, and tells them if it is
  /// settled by now. Only for who has taken them in hand.
  final func putBack(
    _ first: Unmanaged<PromiseNode>?, _ last: Unmanaged<PromiseNode>?, setting flags: UInt = 0
  ) {
    var kept = (first, last)
    while true {
      let word = state.load(ordering: .acquiring)
      if let newer = Self.reference(word) {
        // Those came later: they are put before what is kept, out of the reach of others first.
        guard exchange(word, word & ~Flag.list) else { continue }
        let bottom = Self.last(of: newer)
        bottom._withUnsafeGuaranteedRef { $0.next = kept.0 }
        kept = (newer, kept.1 ?? bottom)
        continue
      }
      let bits = kept.0.map { UInt(bitPattern: $0.toOpaque()) } ?? 0
      let isConcluded = word & (Flag.settled | Flag.gone) != 0
      let isOver = !isConcluded || bits == 0
      guard exchange(word, (isOver ? word & ~Flag.busy : word) | bits | flags) else { continue }
      if !isOver { LaneContext.current.perform(self) }
      return
    }
  }

  private final func exchange(_ expected: UInt, _ desired: UInt) -> Bool {
    state.compareExchange(
      expected: expected, desired: desired, ordering: .acquiringAndReleasing
    ).exchanged
  }

  static func last(of list: Unmanaged<PromiseNode>) -> Unmanaged<PromiseNode> {
    var last = list
    while let next = last._withUnsafeGuaranteedRef({ $0.next }) { last = next }
    return last
  }

  // MARK: The source

  /// Marks a source that somebody looks at: it is not taken out meanwhile.
  private static let looking: UInt = 1
  /// Marks a source that does not count this one among its listeners.
  private static let uncounted: UInt = 2
  /// Marks that it is the way of a failure: it waits for nothing any more.
  static let failure: UInt = 4

  /// What it waits for, which it does not wait for any more.
  @discardableResult
  final func takeSource() -> PromiseNode? { takeOutSource().node }

  final func takeOutSource() -> (node: PromiseNode?, isCounted: Bool) {
    var bits = source.load(ordering: .acquiring)
    while bits != 0, bits & Self.failure == 0 {
      if bits & Self.looking != 0 {
        // A matter of some instructions on another thread.
        sched_yield()
        bits = source.load(ordering: .acquiring)
        continue
      }
      let (isDone, now) = source.compareExchange(
        expected: bits, desired: 0, ordering: .acquiringAndReleasing)
      if isDone { return (Self.reference(bits)?.takeRetainedValue(), bits & Self.uncounted == 0) }
      bits = now
    }
    return (nil, false)
  }

  /// Lets go of what it waits for, and of all above that nobody else holds, one after another: a long chain
  /// needs no stack.
  final func releaseSource() {
    var above = takeSource()
    while above != nil, isKnownUniquelyReferenced(&above) { above = above?.takeSource() }
  }

  /// What it waits for.
  final func currentSource() -> PromiseNode? { lookAtSource { node, _ in node } }

  /// Looks at what it waits for, which nobody takes out meanwhile.
  final func lookAtSource<Result>(_ look: (PromiseNode, inout UInt) -> Result) -> Result? {
    while true {
      var bits = source.load(ordering: .sequentiallyConsistent)
      guard bits & Self.failure == 0, let reference = Self.reference(bits) else { return nil }
      if bits & Self.looking != 0 {
        sched_yield()
        continue
      }
      let (isDone, _) = source.compareExchange(
        expected: bits, desired: bits | Self.looking, ordering: .acquiringAndReleasing)
      guard isDone else { continue }
      let result = reference._withUnsafeGuaranteedRef { look($0, &bits) }
      source.store(bits, ordering: .sequentiallyConsistent)
      return result
    }
  }

  /// Has it wait for `node` in place of `old`, without a moment in which it waits for nothing: who looks for a
  /// cycle must not find a gap.
  ///
  /// - Returns: false if it does not wait for `old` any more.
  final func replaceSource(_ old: PromiseNode, by node: PromiseNode) -> Bool {
    let isReplaced = lookAtSource { source, bits in
      guard source === old else { return false }
      addToTrail(old.site)
      bits = node.bits(retaining: true)
      return true
    }
    if isReplaced == true { Unmanaged.passUnretained(old).release() }
    return isReplaced == true
  }

  /// Its source counts it as a listener from now on, or does not, unless it waits no more.
  final func setCounted(_ isCounted: Bool) {
    let source = lookAtSource { source, bits in
      if isCounted { source.countListener() }
      bits = isCounted ? bits & ~Self.uncounted : bits | Self.uncounted
      return source
    }
    if !isCounted { source?.discountListener() }
  }

  /// From now on it waits for `node`. Only while it waits for nothing.
  final func setSource(_ node: PromiseNode) {
    if source.load(ordering: .relaxed) != 0 { releaseFailure() }
    source.store(node.bits(retaining: true), ordering: .sequentiallyConsistent)
  }
}
