import AsyncRuntime
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension PromiseNode {
  /// Settles the node as cancelled, immediately. Then cancels its source, if the source has no
  /// other dependents and its setting is `whenUnused: .cancel`. This continues up the chain.
  ///
  /// - Returns: false if the node was already settled.
  @discardableResult
  final func cancel() -> Bool {
    guard seal(Flag.cancelled) else { return false }
    var node = self
    while true {
      let (source, isCounted) = node.takeOutSource()
      node.finishAsCancelled()
      node.cancelMoved()
      node.wasCancelled()
      guard let source, isCounted, source.loseDependent(), source.seal(Flag.cancelled) else {
        return true
      }
      node = source
    }
  }

  /// Called when a dependent has been sealed and will not be notified.
  ///
  /// - Returns: whether the node must be cancelled, because this was its last dependent.
  private final func loseDependent() -> Bool {
    let word = state.load(ordering: .acquiring)
    if word & (Flag.settled | Flag.gone) != 0 { return false }
    if word & Flag.cancelsUnused != 0,
      live.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0
    {
      return true
    }
    if lossesLeft.wrappingSubtract(1, ordering: .relaxed).newValue == 0 { clearAway() }
    return false
  }

  /// Called when a dependent that was counted, but never added to the list, no longer needs the node.
  final func loseInterest() {
    if loseDependent() { cancel() }
  }

  /// Removes cancelled dependents from the list, so that the objects they retain are released.
  ///
  /// - Complexity: O(*n*) for *n* dependents. For each one removed, amortized O(1) up to about 100 000 dependents.
  private final func clearAway() {
    guard let dependents = takePending() else {
      // The next loss tries again.
      return lossesLeft.store(1, ordering: .relaxed)
    }
    var (rest, kept, last) =
      (Optional(dependents), nil as Unmanaged<PromiseNode>?, nil as Unmanaged<PromiseNode>?)
    var count = 0
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
    // Other threads may have cancelled some of the kept dependents in the meantime.
    let missed = 0 &- lossesLeft.load(ordering: .relaxed)
    let limit = UInt16(clamping: 1 + count / 2)
    lossesLeft.store(limit > missed ? limit - missed : 1, ordering: .relaxed)
    putBack(kept, last)
  }

  /// Takes the list of dependents of a pending node, latest first. Nil if it is empty or another thread has taken it.
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

  /// Puts dependents, latest first, behind those that were added in the meantime. If the node is
  /// now settled, notifies them. Only for the thread that has taken the list.
  final func putBack(
    _ first: Unmanaged<PromiseNode>?, _ last: Unmanaged<PromiseNode>?, setting flags: UInt = 0
  ) {
    var kept = (first, last)
    while true {
      let word = state.load(ordering: .acquiring)
      if let newer = Self.reference(word) {
        // Newer dependents go before the kept ones. They are taken out first, so that no other thread can reach them.
        guard exchange(word, word & ~Flag.list) else { continue }
        let bottom = Self.last(of: newer)
        bottom._withUnsafeGuaranteedRef { $0.next = kept.0 }
        kept = (newer, kept.1 ?? bottom)
        continue
      }
      let bits = kept.0.map { UInt(bitPattern: $0.toOpaque()) } ?? 0
      let isConcluded = word & (Flag.settled | Flag.gone) != 0
      let isFinished = !isConcluded || bits == 0
      guard exchange(word, (isFinished ? word & ~Flag.busy : word) | bits | flags) else { continue }
      if !isFinished { LaneContext.current.perform(self) }
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

  /// Marks that a thread is reading the source, so that no other thread takes it out.
  private static let looking: UInt = 1
  /// Marks that the source does not count this node as a dependent.
  private static let uncounted: UInt = 2
  /// Marks that the word holds the path of a failure. The node no longer waits for anything.
  static let failure: UInt = 4

  /// Takes the source out: the node no longer waits for it.
  @discardableResult
  final func takeSource() -> PromiseNode? { takeOutSource().node }

  final func takeOutSource() -> (node: PromiseNode?, isCounted: Bool) {
    var bits = source.load(ordering: .acquiring)
    while bits != 0, bits & Self.failure == 0 {
      if bits & Self.looking != 0 {
        // The other thread needs only a few instructions.
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

  /// Releases the source, and all nodes above it that no other code retains, one after another. So releasing a long
  /// chain does not grow the stack.
  final func releaseSource() {
    var above = takeSource()
    while above != nil, isKnownUniquelyReferenced(&above) { above = above?.takeSource() }
  }

  /// The promise that the node waits for.
  final func currentSource() -> PromiseNode? { lookAtSource { node, _ in node } }

  /// Calls `look` with the source. No other thread takes the source out during the call. Returns
  /// nil if there is no source.
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

  /// Makes the node wait for `node` in place of `old`. It waits for one of them at any moment, so
  /// that the search for cycles finds no gap.
  ///
  /// - Returns: false if the node no longer waits for `old`.
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

  /// Sets whether the source counts this node as a dependent. Has no effect if the node no longer has a source.
  final func setCounted(_ isCounted: Bool) {
    let source = lookAtSource { source, bits in
      if isCounted { source.countDependent() }
      bits = isCounted ? bits & ~Self.uncounted : bits | Self.uncounted
      return source
    }
    if !isCounted { source?.discountDependent() }
  }

  /// Makes the node wait for `node`. Only for a node that waits for nothing.
  final func setSource(_ node: PromiseNode) {
    if source.load(ordering: .relaxed) != 0 { releaseFailure() }
    source.store(node.bits(retaining: true), ordering: .sequentiallyConsistent)
  }
}
