import AsyncRuntime
import Synchronization

/// Listeners that a thread is telling one after another, and for as long as it does that: so that who blocks it can
/// be told that it waits for one of them.
struct TellingRound {
  private let source: Unmanaged<PromiseNode>
  /// Whether those who are added meanwhile are told by this thread, too.
  private let tellsAdded: Bool
  /// Those who are left, in the order of telling.
  private var rest: Unmanaged<PromiseNode>?
  private var current: UnsafeRawPointer?
  /// What the thread was telling when it came to this.
  private var outer: UnsafeMutablePointer<TellingRound>?

  /// Hands `body` the listeners of `source`, one after another.
  ///
  /// - Parameter first: the list, which belongs to this from now on.
  @inline(__always)
  static func each(
    _ first: Unmanaged<PromiseNode>?, of source: PromiseNode, tellsAdded: Bool,
    in lane: LaneContext, _ body: (PromiseNode, _ isLast: Bool) -> Void
  ) {
    let chains = lane.chains
    let outer = chains.pointee.telling
    var telling = TellingRound(
      source: .passUnretained(source), tellsAdded: tellsAdded, rest: first,
      outer: outer?.assumingMemoryBound(to: TellingRound.self))
    withUnsafeMutablePointer(to: &telling) { telling in
      chains.pointee.telling = UnsafeMutableRawPointer(telling)
      while let listener = PromiseNode.popFirst(&telling.pointee.rest) {
        telling.pointee.current = UnsafeRawPointer(Unmanaged.passUnretained(listener).toOpaque())
        body(listener, telling.pointee.rest == nil)
      }
    }
    chains.pointee.telling = outer
  }

  private init(
    source: Unmanaged<PromiseNode>, tellsAdded: Bool, rest: Unmanaged<PromiseNode>?,
    outer: UnsafeMutablePointer<TellingRound>?
  ) {
    (self.source, self.tellsAdded, self.rest, self.outer) = (source, tellsAdded, rest, outer)
  }

  /// Whether `node` can only be settled once the handler has returned that runs on the thread of `lane`: it is
  /// that handler's, or comes of one that this thread has yet to tell.
  ///
  /// - Complexity: O(*n*) for *n* pending promises above it and listeners that are left.
  static func holdsUp(_ node: PromiseNode, in lane: LaneContext) -> Bool {
    guard let first = lane.chains.pointee.telling else { return false }
    var top = node.root()
    while let source = top.currentSource(), !source.isSettled { top = source }
    var round: UnsafeMutablePointer<TellingRound>? = first.assumingMemoryBound(
      to: TellingRound.self)
    while let one = round {
      if one.pointee.holdsUp(top) { return true }
      round = one.pointee.outer
    }
    return false
  }

  private func holdsUp(_ node: PromiseNode) -> Bool {
    if node.isSealed { return false }
    if current == UnsafeRawPointer(Unmanaged.passUnretained(node).toOpaque()) {
      return node.isClaimed
    }
    if Self.isIn(rest, node) { return true }
    guard tellsAdded else { return false }
    // Who is in the list stays there until this thread takes it out.
    let added = source._withUnsafeGuaranteedRef { $0.state.load(ordering: .acquiring) }
    return Self.isIn(PromiseNode.reference(added), node)
  }

  private static func isIn(_ list: Unmanaged<PromiseNode>?, _ node: PromiseNode) -> Bool {
    var rest = list
    while let reference = rest {
      if reference.toOpaque() == Unmanaged.passUnretained(node).toOpaque() { return true }
      rest = reference._withUnsafeGuaranteedRef { $0.next }
    }
    return false
  }
}
