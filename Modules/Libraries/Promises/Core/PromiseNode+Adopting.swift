import AsyncRuntime
import Synchronization

/// Adoption: a promise that is resolved with another promise is settled in the same way as that
/// promise.
///
/// A loop of `then` makes a promise that adopts a second one, which adopts a third one, and so on.
/// The loop must not use more and more memory. So a promise that adopts another one hands its own
/// adopter on to it. The adopter then waits for that promise directly, and the promise in between
/// is no longer retained.
extension PromiseNode {
  /// Settles the node in the same way as `other`, of the same type, as soon as `other` is settled. Only the code that
  /// has claimed the node can call this, and only once.
  @usableFromInline
  final func adopt(_ other: PromiseNode) {
    let other = other.root()
    other.beginIfLazy()
    if other === self { return reject(PromiseCycle([site])) }
    if other.isSettled { return take(from: other) }
    other.countDependent()
    setSource(other)
    // The order matters: either the cancelling thread finds the source, or this code finds the cancellation.
    let word = state.bitwiseOr(Flag.adopter, ordering: .acquiringAndReleasing).oldValue
    if word & Flag.sealed != 0 {
      takeSource()?.loseInterest()
      return
    }
    let isForwarded = handAdopters(to: other)
    // The adopter that was handed on is notified directly.
    if isForwarded { return }
    other.add(self, counts: false)
    rejectCycleIfAwaited(through: other)
    watchCancellation()
  }

  /// The node that holds the result of this one: itself, unless it is forwarded.
  @usableFromInline
  final func root() -> PromiseNode {
    var node = self
    while node.state.load(ordering: .acquiring) & (Flag.forwarded | Flag.sealed) == Flag.forwarded,
      let source = node.currentSource()
    {
      node = source
    }
    return node
  }

  /// Hands the adopter of this node on to `other`. There must be exactly one adopter, and no other
  /// dependent except watches. A cancellation of this node's chain must still cancel the adopter.
  /// So either both chains have the same cancellation, or this node's chain has none.
  ///
  /// - Returns: whether the adopter was handed on, or no longer needs to be.
  private final func handAdopters(to other: PromiseNode) -> Bool {
    guard let dependents = takePending() else { return false }
    guard let adopter = Self.onlyAdopter(in: dependents)?.takeUnretainedValue(),
      context.cancellation == nil || context.cancellation === adopter.context.cancellation
    else {
      putBack(dependents, Self.last(of: dependents))
      return false
    }
    if rejectCycle() {
      putBack(dependents, Self.last(of: dependents))
      return true
    }
    other.countDependent()
    guard adopter.replaceSource(self, by: other) else {
      // The adopter has been cancelled.
      other.discountDependent()
      putBack(dependents, Self.last(of: dependents))
      return false
    }
    let watches = Self.remove(adopter, from: dependents)
    other.add(adopter, counts: false)
    // The adopter counts as a dependent of `other` in place of this node.
    setCounted(false)
    next = Unmanaged.passUnretained(adopter)
    putBack(watches, watches.map(Self.last), setting: Flag.forwarded)
    if isCancelled { cancelMoved() }
    let word = state.load(ordering: .acquiring)
    // The adopter now gets the failure from `other`. If the failure need not be handled in this
    // node, it need not be handled in `other` either.
    if word & Flag.handled != 0 { other.handleFailure() }
    // Dependents that were added in the meantime must still be notified.
    let first = watches.map { UInt(bitPattern: $0.toOpaque()) } ?? 0
    if word & Flag.list != first { relayIfNeeded() }
    adopter.rejectCycleIfAwaited(through: other)
    return true
  }

  /// The adopter in the list, if the list has no other dependents except watches.
  private static func onlyAdopter(
    in list: Unmanaged<PromiseNode>
  ) -> Unmanaged<PromiseNode>? {
    var (rest, found) = (Optional(list), nil as Unmanaged<PromiseNode>?)
    while let reference = rest {
      let isWatch = reference._withUnsafeGuaranteedRef { node in
        rest = node.next
        return node.isWatch
      }
      if isWatch { continue }
      if found != nil { return nil }
      found = reference
    }
    guard let found,
      found._withUnsafeGuaranteedRef({ $0.state.load(ordering: .acquiring) }) & Flag.adopter != 0
    else { return nil }
    return found
  }

  /// The list without `node`. The caller takes over the list's reference to `node`.
  private static func remove(
    _ node: PromiseNode, from list: Unmanaged<PromiseNode>
  ) -> Unmanaged<PromiseNode>? {
    defer { node.next = nil }
    if list.toOpaque() == Unmanaged.passUnretained(node).toOpaque() { return node.next }
    var before = list
    while let next = before._withUnsafeGuaranteedRef({ $0.next }) {
      if next.toOpaque() == Unmanaged.passUnretained(node).toOpaque() {
        before._withUnsafeGuaranteedRef { $0.next = node.next }
        return list
      }
      before = next
    }
    return list
  }

  private final func relayIfNeeded() {
    let word = state.bitwiseOr(Flag.relayed, ordering: .acquiringAndReleasing).oldValue
    if word & Flag.relayed == 0 { relay() }
  }

  /// Waits for the node that this one was forwarded to, since this one has dependents of its own again.
  final func relay() {
    guard let source = currentSource() else { return }
    let relay = Relay(of: source, to: self)
    setCounted(true)
    source.root().add(relay, counts: false)
    rejectCycleIfAwaited(through: source)
  }

  /// Called after a cancellation of this node. Cancels the adopter, which was handed on and now waits elsewhere.
  final func cancelMoved() {
    guard state.load(ordering: .acquiring) & Flag.forwarded != 0 else { return }
    next?._withUnsafeGuaranteedRef { moved in _ = moved.cancel() }
  }

  /// Called when the node is released. Releases the adopter that was handed on, and abandons the dependents that do not
  /// retain the node.
  final func releaseOthers() {
    let word = state.load(ordering: .relaxed)
    if word & Flag.forwarded != 0 { next?.release() }
    if word & Flag.list != 0 { abandon(Self.reference(word)) }
  }

  /// Starts the work of a lazy promise, unless it has started.
  final func beginIfLazy() {
    guard state.load(ordering: .relaxed) & Flag.lazy != 0 else { return }
    let word = state.bitwiseAnd(~Flag.lazy, ordering: .acquiringAndReleasing).oldValue
    if word & Flag.lazy != 0 { begin() }
  }

  // MARK: Cycles

  /// Rejects the node if it now waits for itself. Only for a node that has just become a dependent of its source.
  ///
  /// The node that closes a cycle finds that it has a dependent, and that all other nodes of the
  /// cycle have a source. A node without dependents need not search. So building a chain of
  /// adoptions from its beginning takes linear time.
  ///
  /// - Parameter source: the node whose dependent it has become.
  /// - Complexity: O(1) if the node has no dependents, otherwise O(*n*) for *n* pending promises above it.
  private final func rejectCycleIfAwaited(through source: PromiseNode) {
    // Of two nodes that become dependents at the same time, at least one must see the other.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    let isAwaited = state.load(ordering: .acquiring) & (Flag.list | Flag.busy) != 0
    // A source that waits for nothing is on no cycle.
    if isAwaited, source.source.load(ordering: .sequentiallyConsistent) != 0 { _ = rejectCycle() }
  }

  /// Rejects the node if it now waits for itself.
  ///
  /// - Returns: whether the node was rejected.
  private final func rejectCycle() -> Bool {
    var node = self
    // R. P. Brent (1980, doi:10.1007/BF01933190): the mark moves ahead in growing steps. If there is a cycle, the mark
    // comes to lie on it and is reached again.
    var mark = self
    var (steps, stepsToNextMark) = (0, 1)
    while let member = node.currentSource() {
      if member === self {
        let cycle = PromiseCycle(sitesOfCycle)
        takeSource()?.discountDependent()
        reject(cycle)
        return true
      }
      // This node is not on the cycle, but waits for nodes on it. One of those must break the cycle.
      if member === mark {
        _ = mark.rejectCycle()
        return false
      }
      steps += 1
      if steps == stepsToNextMark {
        (mark, steps) = (member, 0)
        stepsToNextMark *= 2
      }
      node = member
    }
    return false
  }

  /// The sites of the nodes on the cycle that this node is on. Only the first ones are collected.
  private final var sitesOfCycle: [Site] {
    var (sites, node) = ([site], self)
    while sites.count < PromiseCycle.limit,
      let (member, between) = node.lookAtSource({ source, _ in (source, node.trail) })
    {
      sites += between
      if member === self { break }
      sites.append(member.site)
      node = member
    }
    return sites
  }

  private final func reject(_ cycle: PromiseCycle) {
    guard seal() else { return }
    if finish(with: cycle) { return }
    context.runtime.misuse(
      "never-completed", cycle.description, of: LaneContext.current.span)
    abandon()
  }

  /// Lets the chain's cancellation cancel this node while it waits for a promise of another chain.
  final func watchCancellation() {
    guard contextReference.isCancellable, let cancellation = context.cancellation, !isSealed else {
      return
    }
    let watch = CancellationWatch(self, cancellation)
    add(watch, counts: false)
  }
}

/// Settles a forwarded promise that has dependents again, with the result of the node that it was forwarded to.
private final class Relay: PromiseNode, @unchecked Sendable {
  private let end: PromiseNode

  init(of source: PromiseNode, to end: PromiseNode) {
    self.end = end
    super.init(source.contextReference.retained(), end.site, flags: Flag.adopter)
  }

  override func take(from source: PromiseNode) { end.take(from: source) }

  override func loseSource(isCancelled: Bool) { end.goWithoutSource(isCancelled: isCancelled) }
}

/// Cancels a promise together with its chain, while the promise is pending.
private final class CancellationWatch: PromiseNode, @unchecked Sendable {
  private let registration: Cancellation.Registration

  init(_ node: PromiseNode, _ cancellation: Cancellation) {
    registration = cancellation.onCancel { [weak node] in node?.cancel() }
    super.init(node.contextReference.retained(), node.site, flags: Flag.adopter)
  }

  override var isWatch: Bool { true }

  override func take(from source: PromiseNode) { registration.dispose() }

  override func loseSource(isCancelled: Bool) { registration.dispose() }
}

/// Promises that wait for each other, so that none of them would ever be settled.
public struct PromiseCycle: Error, CustomStringConvertible {
  /// The places where the promises were made, as “file:line”. The first promise waits for the second one, and so on;
  /// the last one waits for the first one. If the cycle is longer than `limit`, these are the first promises of it.
  public let sites: [String]

  /// The largest number of promises that `sites` names.
  public static let limit = 16

  init(_ sites: [Site]) { self.sites = sites.prefix(Self.limit).map(\.description) }

  public var description: String {
    guard sites.count > 1, let first = sites.first else {
      return "the promise made at \(sites.first ?? "an unknown place") waits for itself; "
        + "resolve it with another one or with a value"
    }
    let others = sites.dropFirst().joined(separator: " and the one at ")
    return "the promise made at \(first) waits for itself, through the one at \(others); "
      + "resolve one of them with a value"
  }
}
