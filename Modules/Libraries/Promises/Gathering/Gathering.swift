import AsyncRuntime
import Synchronization

/// The rule by which several promises are combined into one result.
protocol GatheringRule: Sendable {
  associatedtype Output: Sendable
  associatedtype OutputFailure: Error

  /// The outcomes that concern the rule: the rule is asked each time a promise is settled with one of them. It is also
  /// asked when the last promise is settled, with any outcome. That last call can run at the same time as another one,
  /// or while the combined result is being published.
  static var concern: PromiseNode.Wants { get }

  /// The combined result, now that one more promise is settled; nil if it is still undecided.
  ///
  /// - Parameters:
  ///   - index: the index of the settled promise.
  ///   - isLast: whether all promises are now settled.
  func outcome(
    of index: Int, hasFailed: Bool, isLast: Bool
  ) -> Result<Output, OutputFailure>?

  /// Fulfills `result` itself, if no failure has decided it. Called when the last promise was fulfilled and all are
  /// settled.
  ///
  /// - Returns: false if `outcome` must be asked instead.
  func fulfill(_ result: PromiseStorage<Output, OutputFailure>) -> Bool

  /// Whether a failure that decides the combined result counts as handled, even if the combined result is not that
  /// failure.
  var takesFailure: Bool { get }

  /// Whether the rule fails with an error of its own, and not with that of a promise.
  var replacesFailure: Bool { get }

  /// The promise whose failure becomes the combined result, if settling `last` decides it.
  func failing(_ last: PromiseNode) -> PromiseNode
}

extension GatheringRule {
  func fulfill(_ result: PromiseStorage<Output, OutputFailure>) -> Bool { false }
  var takesFailure: Bool { true }
  var replacesFailure: Bool { false }
  func failing(_ last: PromiseNode) -> PromiseNode { last }
}

extension GatheringRule {
  static var concern: PromiseNode.Wants { .any }
}

/// Combines several existing promises into one. This takes one object for each pending promise, and a counter.
///
/// The results stay in the promises and are read when needed. So nothing is collected, and nothing is locked.
final class Gathering<Rule: GatheringRule>: Follower, @unchecked Sendable {
  // Safe to share: one thread adds the links; the code that sees the phase `added` can read them.
  private let missing: Atomic<Int>
  private let concern: PromiseNode.Wants
  private let phase = Atomic(GatheringPhase.adding)
  @exclusivity(unchecked) private var links: ContiguousArray<FollowerLink> = []
  private let result: FollowedStorage<Rule.Output, Rule.OutputFailure>
  // The last property, since its size is known only at run time.
  private let rule: Rule

  private init(
    _ rule: Rule, _ count: Int, _ result: FollowedStorage<Rule.Output, Rule.OutputFailure>
  ) {
    self.rule = rule
    self.result = result
    concern = Rule.concern
    missing = Atomic(count)
    links.reserveCapacity(count)
  }

  deinit {
    // The promises for which this object waited will never be settled.
    if result.seal() { result.abandon() }
  }

  /// The promise for the result that `rule` makes from `nodes`.
  /// - Parameters:
  ///   - context: where the handlers of the new promise run.
  ///   - cancelsUnused: whether the new promise is cancelled when its last handler is cancelled. If nil, the new
  ///     promise takes the setting of `nodes`: true if any of them is cancelled in this way.
  static func promise(
    of nodes: [PromiseNode], by rule: Rule, in context: PromiseContext, _ site: Site,
    cancelsUnused: Bool? = nil
  ) -> Promise<Rule.Output, Rule.OutputFailure> {
    let result = FollowedStorage<Rule.Output, Rule.OutputFailure>(
      context, site, cancelsUnused: cancelsUnused ?? nodes.contains { $0.cancelsUnused })
    let gathering = Gathering(rule, nodes.count, result)
    result.follow(gathering)
    result.beginChain(waitingFor: "other promises") {
      gathering.add(nodes, in: result.context.unbound)
    }
    return Promise(result)
  }

  private func add(_ nodes: [PromiseNode], in context: PromiseContext) {
    // For a few links, another object would cost more than it saves.
    let follower = nodes.count > 8 ? FollowerHold(self) : self
    for (index, node) in nodes.enumerated() {
      if result.isSealed {
        // The result is decided. The remaining promises get no link, and their failures need no handling.
        for node in nodes[index...] { node.handleFailure() }
        break
      }
      let source = node.root()
      if source.isSettled {
        sourceSettled(at: index, source)
        continue
      }
      let link = FollowerLink(of: node, by: follower, index, in: context)
      links.append(link)
      node.add(link)
    }
    let (isAdded, _) = phase.compareExchange(
      expected: .adding, desired: .added, ordering: .acquiringAndReleasing)
    if !isAdded { cancelLinks() }
  }

  override func sourceSettled(at index: Int, _ source: PromiseNode) {
    let isLast = missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
    if isLast || concern.contains(source.hasFailed ? .failure : .success) {
      ask(index, source, isLast)
    } else if source.hasFailed {
      source.handleFailure()
    }
  }

  // Out of line: looking up the result types at run time costs more than counting.
  @inline(never)
  private func ask(_ index: Int, _ source: PromiseNode, _ isLast: Bool) {
    if isLast, !source.hasFailed, rule.fulfill(result) { return }
    guard let outcome = rule.outcome(of: index, hasFailed: source.hasFailed, isLast: isLast),
      settle(outcome, because: source)
    else {
      if source.hasFailed { source.handleFailure() }
      return
    }
    if !isLast { cancelSourcesSoon() }
  }

  private func settle(
    _ outcome: Result<Rule.Output, Rule.OutputFailure>, because source: PromiseNode
  ) -> Bool {
    if !source.hasFailed || !rule.takesFailure { return result.settle(outcome) }
    source.handleFailure()
    return result.settle(
      outcome, because: rule.failing(source), replacing: rule.replacesFailure)
  }

  override func cancelSources() {
    let before = phase.exchange(.finished, ordering: .acquiringAndReleasing)
    // If the links are still being added, `add` cancels them.
    if before == .added { cancelLinks() }
  }

  private func cancelLinks() {
    for link in links { link.stop() }
    links = []
  }
}

// Not inside the generic class: there, the runtime would look it up for each object.
private enum GatheringPhase: UInt8, AtomicRepresentable {
  case adding, added, finished
}
