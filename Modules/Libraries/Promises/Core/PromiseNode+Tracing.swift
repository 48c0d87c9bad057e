import AsyncRuntime
import Synchronization

/// Records the promise as a part of its chain. Without a trace, this costs one comparison.
extension PromiseNode {
  /// Runs `body`, which begins a chain. If the chain is recorded, `body` runs on behalf of it.
  ///
  /// - Parameter dependency: what the chain waits for after `body`, as text.
  @inlinable
  final func beginChain(
    waitingFor dependency: StaticString = "its resolver", _ body: () -> Void = {}
  ) {
    if isRecorded { recordBeginning(dependency, body) } else { body() }
  }

  @usableFromInline
  final func recordBeginning(_ dependency: StaticString, _ body: () -> Void) {
    guard let chain = contextReference.chain else { return body() }
    chain.begin(waitingFor: "\(dependency)", body)
  }

  /// Called when the node is settled or abandoned. Ends the chain if the node was its last one, and calls `conclude` on
  /// behalf of the chain.
  final func recordConclusion(_ flags: UInt, _ conclude: () -> Void) {
    guard let chain = contextReference.chain else { return conclude() }
    let lane = LaneContext.current
    let (outcome, counts) = (traceOutcome(flags), !wants.contains(.observer))
    if lane.span == chain.span {
      chain.leave(outcome, counts: counts)
      return conclude()
    }
    let isByItself = lane.cause(for: lane.span).kind == .itself && lane.span != .none
    let cause = isByItself ? Cause(.wakeUp, lane.span) : lane.cause(for: chain.span)
    let canceller = lane.canceller
    lane.perform(for: chain.span, because: cause) {
      chain.leave(outcome, canceller: canceller, counts: counts)
      conclude()
    }
  }

  private final func traceOutcome(_ flags: UInt) -> ChainTrace.Outcome {
    if isCancelled || flags & Flag.gone != 0 { return .cancelled }
    guard flags & Flag.failed != 0, let error = anyError else { return .success }
    return error is CancellationError ? .cancelled : .failure(error)
  }

  /// Called when the node is released. If the node was never settled, records that.
  final func recordLoss() {
    let word = state.load(ordering: .acquiring)
    guard word & (Flag.settled | Flag.gone) == 0, let chain = contextReference.chain else { return }
    // Another node will get the result that this node would have had.
    let isHandedOn = word & Flag.forwarded != 0
    chain.leave(isHandedOn ? .success : .cancelled, counts: true)
  }

  /// Runs `body`, the handler that follows `source`, on behalf of the node's chain.
  final func recordRun(after source: PromiseNode, in lane: LaneContext, _ body: () -> Void) {
    guard let chain = contextReference.chain else { return body() }
    if wants.contains(.quiet) {
      // The node waits on behalf of a promise that gathers several others.
      lane.perform(for: chain.span, because: cause(of: source, for: chain, in: lane), body)
    } else if isWanted(after: source) {
      chain.run(site, in: lane, waitingFor: { self.dependency }, body)
    } else {
      lane.perform(for: chain.span, because: lane.cause(for: chain.span), body)
    }
  }

  private final var dependency: String {
    let isAdopter = state.load(ordering: .relaxed) & (Flag.adopter | Flag.settled) == Flag.adopter
    return isAdopter ? "another promise" : "its next link"
  }

  /// Runs `body`, which settles the node in the same way as `source`. `source` may belong to another chain.
  final func recordTaking(from source: PromiseNode, _ body: () -> Void) {
    guard let chain = contextReference.chain else { return body() }
    let lane = LaneContext.current
    if lane.span == chain.span { return body() }
    lane.perform(for: chain.span, because: cause(of: source, for: chain, in: lane), body)
  }

  private final func cause(
    of source: PromiseNode, for chain: ChainTrace, in lane: LaneContext
  ) -> Cause {
    guard let other = source.contextReference.chain, other !== chain else {
      return lane.cause(for: chain.span)
    }
    return other.causeForOthers
  }
}

extension ContextReference {
  /// Whether the chains of the context are recorded.
  @usableFromInline var recordsChains: Bool { pointee { $0.recordsChains } }

  /// The trace of the chain; nil if the chain is not recorded.
  var chain: ChainTrace? { pointee { $0.chain } }

  /// The context of a chain that begins with the promise made at `site`. It replaces this reference, which is released.
  consuming func beginningChain(at site: Site) -> ContextReference {
    let next = ContextReference(context.beginningChain(at: site))
    release()
    return next
  }

  /// The context of a link that is made at `site`: this context, unless its chain has ended.
  consuming func joiningChain(at site: Site) -> ContextReference {
    if chain?.join() == true { return self }
    return beginningChain(at: site)
  }
}

extension Promise {
  /// Names the chain that the promise belongs to. Traces show the name instead of the place where the chain was made.
  ///
  /// ```swift
  /// let stored = download(url).then { store($0) }.named("upload")
  /// ```
  ///
  /// A chain that is not recorded has no name, and `name` is not evaluated.
  ///
  /// - Returns: this promise.
  /// - Complexity: O(1).
  @discardableResult
  public func named(_ name: @autoclosure () -> String) -> Promise {
    storage.contextReference.chain?.name(name())
    return self
  }
}
