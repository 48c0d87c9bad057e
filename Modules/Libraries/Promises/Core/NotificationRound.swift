import AsyncRuntime
import Synchronization

/// The dependents that a thread is notifying, one after another. A round exists during the notification, so that `wait`
/// can detect that it would wait for one of these dependents.
struct NotificationRound {
  private let source: Unmanaged<PromiseNode>
  /// Whether this thread also notifies dependents that are added in the meantime.
  private let notifiesAdded: Bool
  /// The dependents that are left, in the order of notification.
  private var rest: Unmanaged<PromiseNode>?
  private var current: UnsafeRawPointer?
  /// The round that the thread was in when this round started.
  private var outer: UnsafeMutablePointer<NotificationRound>?

  /// Calls `body` with the dependents of `source`, one after another.
  ///
  /// - Parameter first: the list of dependents, which this function takes over.
  @inline(__always)
  static func each(
    _ first: Unmanaged<PromiseNode>?, of source: PromiseNode, notifiesAdded: Bool,
    in lane: LaneContext, _ body: (PromiseNode, _ isLast: Bool) -> Void
  ) {
    let chains = lane.chains
    let outer = chains.pointee.round
    var round = NotificationRound(
      source: .passUnretained(source), notifiesAdded: notifiesAdded, rest: first,
      outer: outer?.assumingMemoryBound(to: NotificationRound.self))
    withUnsafeMutablePointer(to: &round) { round in
      chains.pointee.round = UnsafeMutableRawPointer(round)
      while let dependent = PromiseNode.popFirst(&round.pointee.rest) {
        round.pointee.current = UnsafeRawPointer(Unmanaged.passUnretained(dependent).toOpaque())
        body(dependent, round.pointee.rest == nil)
      }
    }
    chains.pointee.round = outer
  }

  private init(
    source: Unmanaged<PromiseNode>, notifiesAdded: Bool, rest: Unmanaged<PromiseNode>?,
    outer: UnsafeMutablePointer<NotificationRound>?
  ) {
    (self.source, self.notifiesAdded, self.rest, self.outer) = (source, notifiesAdded, rest, outer)
  }

  /// Whether `node` can be settled only after the handler that is running on the thread of `lane`
  /// has returned. There are two such cases. Either the handler settles the node, or the node is
  /// derived from a dependent that this thread has yet to notify.
  ///
  /// - Complexity: O(*n*) for *n* pending promises above the node and dependents that are left.
  static func holdsUp(_ node: PromiseNode, in lane: LaneContext) -> Bool {
    guard let first = lane.chains.pointee.round else { return false }
    var top = node.root()
    while let source = top.currentSource(), !source.isSettled { top = source }
    var round: UnsafeMutablePointer<NotificationRound>? = first.assumingMemoryBound(
      to: NotificationRound.self)
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
    guard notifiesAdded else { return false }
    // A node in the list stays there until this thread takes it out.
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
