import AsyncRuntime
import Synchronization

/// What several promises come to together.
protocol GatheringRule: Sendable {
  associatedtype Output: Sendable
  associatedtype OutputFailure: Error

  /// After which outcomes of one of several it is to be asked; after the last it always is, which may be at the same
  /// time, or while what it has come to is on its way.
  static var concern: PromiseNode.Wants { get }

  /// What it comes to now that one more is settled; nil if that is open yet.
  ///
  /// - Parameters:
  ///   - index: which one.
  ///   - isLast: whether all are, by now.
  func outcome(
    of index: Int, hasFailed: Bool, isLast: Bool
  ) -> Result<Output, OutputFailure>?

  /// Whether it takes the failures that it does not come to.
  var takesFailure: Bool { get }

  /// Whether it fails with another error than one of those that it is told.
  var replacesFailure: Bool { get }

  /// Whose failure it comes to, where it does when `last` is settled.
  func failing(_ last: PromiseNode) -> PromiseNode
}

extension GatheringRule {
  var takesFailure: Bool { true }
  var replacesFailure: Bool { false }
  func failing(_ last: PromiseNode) -> PromiseNode { last }
}

extension GatheringRule {
  static var concern: PromiseNode.Wants { .any }
}

/// One promise of several that are there: an object a listener, and a count.
///
/// What they have come to stays in them, and is read when it is asked for: so nothing is collected, and
/// nothing is locked.
final class Gathering<Rule: GatheringRule>: Follower, @unchecked Sendable {
  // Safe to share: one thread adds listeners, and who finds that done may read them.
  private let missing: Atomic<Int>
  private let concern: PromiseNode.Wants
  private let phase = Atomic(Phase.adding)
  @exclusivity(unchecked) private var links: ContiguousArray<FollowerLink> = []
  private let result: FollowedStorage<Rule.Output, Rule.OutputFailure>
  // The last, since its size is known only when the program runs.
  private let rule: Rule

  private enum Phase: UInt8, AtomicRepresentable {
    case adding, added, over
  }

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
    // What it waited for will not come.
    if result.seal() { result.letGo() }
  }

  /// The promise of what `nodes` come to by `rule`.
  ///
  /// - Parameters:
  ///   - context: where its handlers run.
  ///   - cancelsUnused: whether it is cancelled when its last listener is; unless given, if that goes for one
  ///     of `nodes`.
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
    for (index, node) in nodes.enumerated() {
      if result.isSealed {
        // Nobody listens to the others, and nobody need.
        for node in nodes[index...] { node.answerFailure() }
        break
      }
      let source = node.root()
      if source.isSettled {
        told(of: index, source)
        continue
      }
      let link = FollowerLink(of: node, by: self, index, in: context)
      links.append(link)
      node.add(link)
    }
    let (isAdded, _) = phase.compareExchange(
      expected: .adding, desired: .added, ordering: .acquiringAndReleasing)
    if !isAdded { cancelLinks() }
  }

  override func told(of index: Int, _ source: PromiseNode) {
    let isLast = missing.subtract(1, ordering: .acquiringAndReleasing).newValue == 0
    if isLast || concern.contains(source.hasFailed ? .failure : .success) {
      ask(index, source, isLast)
    } else if source.hasFailed {
      source.answerFailure()
    }
  }

  // Out of line: the types of what it may come to have to be looked up, which costs more than to count.
  @inline(never)
  private func ask(_ index: Int, _ source: PromiseNode, _ isLast: Bool) {
    guard let outcome = rule.outcome(of: index, hasFailed: source.hasFailed, isLast: isLast),
      settle(outcome, because: source)
    else {
      if source.hasFailed { source.answerFailure() }
      return
    }
    if !isLast { letGoSoon() }
  }

  private func settle(
    _ outcome: Result<Rule.Output, Rule.OutputFailure>, because source: PromiseNode
  ) -> Bool {
    if !source.hasFailed || !rule.takesFailure { return result.settle(outcome) }
    source.answerFailure()
    return result.settle(
      outcome, because: rule.failing(source), replacing: rule.replacesFailure)
  }

  override func letGo() {
    let before = phase.exchange(.over, ordering: .acquiringAndReleasing)
    // Who is adding them looks again.
    if before == .added { cancelLinks() }
  }

  private func cancelLinks() {
    for link in links { link.stop() }
    links = []
  }
}
