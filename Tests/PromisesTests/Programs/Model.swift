/// A simple model of promises: one thread, no schedulers, and steps that can be taken in any order. A result that is
/// the same in every order is the required result.
final class Model {
  final class Node {
    enum State: Equatable {
      case pending
      case settled(Ending)
      /// The promise will never be settled.
      case gone(isCancelled: Bool)
    }

    var state = State.pending
    let unused: Bool
    /// Whether its chain has the token.
    let isBound: Bool
    /// Whether the token reaches the promise while it is pending.
    var isWatched: Bool
    /// Whether it can fail as cancelled.
    let canCancel: Bool
    var dependents = 0
    var isClaimed = false
    var waits: [(source: Node, position: Int)] = []
    /// The action of the promise when one of its sources is settled.
    var onSettled: ((Int, Ending) -> Void)?
    /// The action of the promise when it gets its first dependent.
    var start: (() -> Void)?
    var cancellations = 0
    /// Its position in the order of notification, if notifications follow ranks.
    var rank: UInt64 = 0
    /// Whether it waits for several sources, at the same time or one after another.
    var gathers = false
    /// A further step that the promise can take by itself.
    var step: (() -> Void)?

    init(
      unused: Bool = false, isBound: Bool = false, isWatched: Bool = false, canCancel: Bool
    ) {
      self.unused = unused
      self.isBound = isBound
      self.isWatched = isWatched
      self.canCancel = canCancel
    }

    var isPending: Bool { state == .pending }
    var outcome: Ending? { if case .settled(let outcome) = state { outcome } else { nil } }
  }

  let canCancel: Bool
  private let order: Order
  var generator: SeededGenerator
  var nodes: [Node] = []
  var timers: [(time: Duration, node: Node, action: () -> Void)] = []
  var now = Duration.zero
  var isTokenCancelled = false

  init(canCancel: Bool, seed: UInt64) {
    self.canCancel = canCancel
    generator = SeededGenerator(seed: seed)
    order = Order.allCases[Int(seed % 4)]
  }

  func node(
    unused: Bool = false, isBound: Bool = false, isWatched: Bool = false, canCancel: Bool? = nil
  ) -> Node {
    let node = Node(
      unused: unused, isBound: isBound, isWatched: isWatched,
      canCancel: canCancel ?? self.canCancel)
    node.rank = generator.next()
    nodes.append(node)
    return node
  }

  // MARK: Events of a promise

  func settle(_ node: Node, _ outcome: Ending) {
    guard node.isPending else { return }
    node.state = .settled(outcome)
    let waits = node.waits
    node.waits = []
    for wait in waits { lose(wait.source) }
  }

  func cancel(_ node: Node) {
    guard node.isPending else { return }
    node.cancellations += 1
    node.state = node.canCancel ? .settled(.cancelled) : .gone(isCancelled: true)
    let waits = node.waits
    node.waits = []
    for wait in waits { lose(wait.source) }
  }

  func lose(_ source: Node) {
    guard source.unused, source.isPending else { return }
    source.dependents -= 1
    if source.dependents == 0 { cancel(source) }
  }

  func listen(_ node: Node, to source: Node, _ position: Int = 0) {
    node.waits.append((source, position))
    source.dependents += 1
    begin(source)
    // A settled source may notify immediately.
    guard !source.isPending, Bool.random(using: &generator) else { return }
    if let index = node.waits.lastIndex(where: { $0.source === source }) { notify(node, index) }
  }

  func begin(_ node: Node) {
    guard let start = node.start else { return }
    node.start = nil
    if node.isPending { start() }
  }

  func adopt(_ node: Node, _ target: Node) {
    begin(target)
    guard node.isPending else { return }
    if let outcome = target.outcome { return settle(node, outcome) }
    node.onSettled = { [unowned self, unowned node] in settle(node, $1) }
    node.isWatched = node.isWatched || node.isBound
    listen(node, to: target)
  }

  /// Releases everything.
  func close() {
    for node in nodes { (node.onSettled, node.start, node.step, node.waits) = (nil, nil, nil, []) }
    (nodes, timers) = ([], [])
  }

  // MARK: Steps

  /// The order in which steps are taken.
  enum Order: CaseIterable { case any, oldestFirst, latestFirst, byRank }

  /// Takes steps until none is left.
  func settleDown() {
    while let step = next() { step() }
  }

  private func next() -> (() -> Void)? {
    let steps = steps()
    return switch order {
    case .any: steps.randomElement(using: &generator)?.take
    case .oldestFirst: steps.first?.take
    case .latestFirst: steps.last?.take
    case .byRank: steps.min { $0.rank < $1.rank }?.take
    }
  }

  private func steps() -> [(rank: UInt64, take: () -> Void)] {
    var steps: [(rank: UInt64, take: () -> Void)] = []
    for node in nodes where node.isPending {
      if node.isBound, node.isWatched, isTokenCancelled {
        steps.append((node.rank, { self.cancel(node) }))
      }
      if let step = node.step { steps.append((node.rank, step)) }
      for (index, wait) in node.waits.enumerated() where !wait.source.isPending {
        steps.append((node.rank, { self.notify(node, index) }))
      }
    }
    for (index, timer) in timers.enumerated() where timer.time <= now {
      steps.append(
        (
          timer.node.rank,
          {
            self.timers.remove(at: index)
            if timer.node.isPending { timer.action() }
          }
        ))
    }
    return steps
  }

  func notify(_ node: Node, _ index: Int) {
    let wait = node.waits.remove(at: index)
    switch wait.source.state {
    case .pending: break
    case .settled(let outcome): node.onSettled?(wait.position, outcome)
    case .gone(let isCancelled):
      // A gathering promise continues with its other sources.
      guard node.waits.isEmpty, node.step == nil else { return }
      let isSettled = isCancelled && node.canCancel && !node.gathers
      node.state =
        isSettled ? .settled(.cancelled) : .gone(isCancelled: isCancelled && !node.gathers)
    }
  }
}
