import AsyncRuntime
import Synchronization

/// Adoption: a promise that is resolved with another one is settled as that one is.
///
/// A loop of `then` makes a promise that adopts one that adopts one, and so on. So that it takes no
/// memory, one that adopts hands those who have adopted it on to the one it adopts: they wait for that
/// themselves, and what lies between is held by nobody.
extension PromiseNode {
  /// Settles it as `other`, of the same type, whenever that is. Only for who may resolve it, and once.
  @usableFromInline
  final func adopt(_ other: PromiseNode) {
    let other = other.root()
    other.beginIfLazy()
    if other === self { return reject(PromiseCycle([site])) }
    if other.isSettled { return take(from: other) }
    other.countListener()
    setSource(other)
    // In this order: who cancels it finds the source, or is found here.
    let word = state.bitwiseOr(Flag.adopter, ordering: .acquiringAndReleasing).oldValue
    if word & Flag.sealed != 0 {
      takeSource()?.loseInterest()
      return
    }
    let isForwarded = handAdopters(to: other)
    // Those it was forwarded for are told themselves.
    if isForwarded { return }
    other.add(self, counts: false)
    rejectCycleIfAwaited()
    watchCancellation()
  }

  /// Where what it will come to comes from: itself, unless it has handed everything on.
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

  /// Hands those who have adopted this one to `other`, if it is one, and nobody else listens. What cancels this
  /// one is to cancel that one, too, so both are to be of chains with one token, or this one's has none.
  ///
  /// - Returns: whether that was done, or is not needed any more.
  private final func handAdopters(to other: PromiseNode) -> Bool {
    guard let listeners = takePending() else { return false }
    guard let adopter = Self.onlyAdopter(in: listeners)?.takeUnretainedValue(),
      context.cancellation == nil || context.cancellation === adopter.context.cancellation
    else {
      putBack(listeners, Self.last(of: listeners))
      return false
    }
    if rejectCycle() {
      putBack(listeners, Self.last(of: listeners))
      return true
    }
    other.countListener()
    guard adopter.replaceSource(self, by: other) else {
      // It has been cancelled.
      other.discountListener()
      putBack(listeners, Self.last(of: listeners))
      return false
    }
    let watches = Self.remove(adopter, from: listeners)
    other.add(adopter, counts: false)
    // That one counts in the place of this.
    setCounted(false)
    next = Unmanaged.passUnretained(adopter)
    putBack(watches, watches.map(Self.last), setting: Flag.forwarded)
    if isCancelled { cancelMoved() }
    let word = state.load(ordering: .acquiring)
    // What need not be taken here need not be there, which the adopter now has it from.
    if word & Flag.answered != 0 { other.answerFailure() }
    // Who has come meanwhile has yet to be told of.
    let first = watches.map { UInt(bitPattern: $0.toOpaque()) } ?? 0
    if word & Flag.list != first { relayIfNeeded() }
    adopter.rejectCycleIfAwaited()
    return true
  }

  /// The one in the list that has adopted its promise, if nobody else is there but who looks after that.
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

  /// The list without `node`, whose place in it belongs to the caller.
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

  /// Listens to what it was forwarded to, since it has listeners of its own by now.
  final func relay() {
    guard let source = currentSource() else { return }
    let relay = Relay(of: source, to: self)
    setCounted(true)
    source.root().add(relay, counts: false)
    rejectCycleIfAwaited()
  }

  /// It was cancelled: so were those who have adopted it and wait elsewhere.
  final func cancelMoved() {
    guard state.load(ordering: .acquiring) & Flag.forwarded != 0 else { return }
    next?._withUnsafeGuaranteedRef { moved in _ = moved.cancel() }
  }

  /// It goes: lets go of the one it was forwarded for, and of those who listen without holding it.
  final func releaseOthers() {
    let word = state.load(ordering: .relaxed)
    if word & Flag.forwarded != 0 { next?.release() }
    if word & Flag.list != 0 { abandon(Self.reference(word)) }
  }

  /// Begins what was to wait for somebody who listens.
  final func beginIfLazy() {
    guard state.load(ordering: .relaxed) & Flag.lazy != 0 else { return }
    let word = state.bitwiseAnd(~Flag.lazy, ordering: .acquiringAndReleasing).oldValue
    if word & Flag.lazy != 0 { begin() }
  }

  // MARK: Cycles

  /// Ends that it waits for itself, if it does by now. Only for who has just been added to what it waits for.
  ///
  /// Who is the last of a cycle to be added finds that somebody waits for it, and the sources of all others set;
  /// and whom nobody waits for need not look. So a chain of adoptions that is built from its beginning takes as
  /// long as it is.
  ///
  /// - Complexity: O(1) if nobody waits for it, otherwise O(*n*) for *n* pending promises above it.
  private final func rejectCycleIfAwaited() {
    // That it was added is to be seen by whoever it does not see.
    atomicMemoryFence(ordering: .sequentiallyConsistent)
    if state.load(ordering: .acquiring) & (Flag.list | Flag.busy) != 0 { _ = rejectCycle() }
  }

  /// Looks whether it waits for itself by now, and ends that.
  ///
  /// - Returns: whether it did.
  private final func rejectCycle() -> Bool {
    var sites = [site]
    var node = self
    // R. P. Brent (1980, doi:10.1007/BF01933190): a mark that is set further and further on comes to stand on
    // the cycle, if there is one, and is met again.
    var mark = self
    var (steps, stepsToNextMark) = (0, 1)
    while let (member, between) = node.lookAtSource({ source, _ in (source, node.trail) }) {
      if sites.count < PromiseCycle.limit { sites += between }
      if member === self {
        takeSource()?.discountListener()
        reject(PromiseCycle(sites))
        return true
      }
      // It is not on the cycle, but waits for those that are: one of them is to end it.
      if member === mark {
        _ = mark.rejectCycle()
        return false
      }
      steps += 1
      if steps == stepsToNextMark {
        (mark, steps) = (member, 0)
        stepsToNextMark *= 2
      }
      if sites.count < PromiseCycle.limit { sites.append(member.site) }
      node = member
    }
    return false
  }

  private final func reject(_ cycle: PromiseCycle) {
    guard seal() else { return }
    if finish(with: cycle) { return }
    context.runtime.misuse(
      "never-completed", cycle.description, of: LaneContext.current.span)
    letGo()
  }

  /// Has the chain's cancellation reach it while it waits for a promise of another chain.
  final func watchCancellation() {
    guard contextReference.isCancellable, let cancellation = context.cancellation, !isSealed else {
      return
    }
    let watch = CancellationWatch(self, cancellation)
    add(watch, counts: false)
  }
}

/// Settles a forwarded promise that has listeners again as what it was forwarded to.
private final class Relay: PromiseNode, @unchecked Sendable {
  private let end: PromiseNode

  init(of source: PromiseNode, to end: PromiseNode) {
    self.end = end
    super.init(source.contextReference.retained(), end.site, flags: Flag.adopter)
  }

  override func take(from source: PromiseNode) { end.take(from: source) }

  override func loseSource(isCancelled: Bool) { end.goWithoutSource(isCancelled: isCancelled) }
}

/// Cancels a promise with its chain, as long as it is pending.
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
  /// Where its promises were made, as “file:line”: the first waits for the second, and so on, and the last
  /// for the first. Of a longer cycle than `limit`, the first ones.
  public let sites: [String]

  /// How many promises of a cycle are named.
  public static let limit = 16

  init(_ sites: [Site]) { self.sites = sites.prefix(Self.limit).map(\.description) }

  public var description: String {
    guard sites.count > 1, let first = sites.first else {
      return "the promise made at \(sites.first ?? "an unknown place") waits for itself; "
        + "resolve it with another one or with a value"
    }
    let way = sites.dropFirst().joined(separator: ", that for the one at ")
    return "the promise made at \(first) waits for itself, by way of the one at \(way); "
      + "resolve one of them with a value"
  }
}
