import AsyncSimulation
import OperationGraph
import Testing

/// A small random graph that mixes all features, with a simple model of how its operations end.
struct MixedGraph: Sendable {
  enum Attempt: Sendable {
    case succeeds, fails, cancelsItself
    /// Does not end until it is cancelled or times out.
    case hangs
  }

  enum Kind: CaseIterable, Sendable {
    case function, callback, task
  }

  enum Edge: Sendable {
    case value, outcome, after
  }

  struct Node: Sendable {
    var kind = Kind.function
    var before: [Int] = []
    /// How the first predecessor is used. The others are only dependencies.
    var firstEdge = Edge.after
    var trigger = OperationGraph.Trigger.allSucceeded
    var priority = 0
    var needs: [(String, Int)] = []
    var attempts: [Attempt] = [.succeeds]
    /// An odd number of milliseconds. Time limits are even, so the two are never equal.
    var duration = 1
    var timeout: Int?
    var delay = 0
    var condition: Bool?
    var isBarrier = false
    /// The number of rounds of a loop before it does the work of an operation; 0 for no loop.
    var rounds = 0
    /// Whether it represents an operation of another run.
    var isRemote = false
  }

  static let limits = ["x": 1, "y": 2]

  var nodes: [Node] = []
  let policy: OperationGraph.FailurePolicy
  let width: Int
  let placement: Placement
  let isEmbedded: Bool
  /// The first node that is added during the run, and the time of the addition in milliseconds.
  private(set) var added: (from: Int, time: Int)?

  /// - Parameter isTimed: whether operations may take time, hang, and have limits.
  init(seed: UInt64, isTimed: Bool) {
    var random = SeededGenerator(seed: seed)
    policy = OperationGraph.FailurePolicy.allCases.randomElement(using: &random) ?? .stop
    width = [1, 2, 3, .max].randomElement(using: &random) ?? 1
    placement = Bool.random(using: &random) ? .pool : .inline
    isEmbedded = Int.random(in: 0..<4, using: &random) == 0
    var barrier: Int?
    for index in 0..<Int.random(in: 1...9, using: &random) {
      var node = Node()
      if index > 1, Int.random(in: 0..<12, using: &random) == 0 {
        node.isBarrier = true
        node.trigger = Bool.random(using: &random) ? .noneFailed : .allDone
        node.before = Array((barrier ?? 0)..<index)
        barrier = index
      } else {
        draw(&node, index, barrier, isTimed, &random)
      }
      nodes.append(node)
    }
    if !isEmbedded, nodes.count > 1, Int.random(in: 0..<3, using: &random) == 0 {
      added = (
        Int.random(in: 1..<nodes.count, using: &random),
        isTimed ? Int.random(in: 0...9, using: &random) : 0
      )
    }
  }

  private func draw(
    _ node: inout Node, _ index: Int, _ barrier: Int?, _ isTimed: Bool,
    _ random: inout SeededGenerator
  ) {
    func chance(_ number: Int) -> Bool { Int.random(in: 0..<number, using: &random) == 0 }
    node.kind = Kind.allCases.randomElement(using: &random) ?? .function
    if barrier == nil, chance(10) {
      node.isRemote = true
      node.kind = .function
      node.attempts = [[.succeeds, .fails, .cancelsItself].randomElement(using: &random) ?? .fails]
      if isTimed { node.duration = 2 * Int.random(in: 0...4, using: &random) + 1 }
      return
    }
    // A barrier has no value.
    let known = (0..<index).filter { !nodes[$0].isBarrier }.shuffled(using: &random)
    node.before = Array(known.prefix(Int.random(in: 0...3, using: &random)))
    if !node.before.isEmpty {
      node.firstEdge = [.value, .outcome, .after].randomElement(using: &random) ?? .after
    }
    if let barrier { node.before.append(barrier) }
    if !node.before.isEmpty, chance(2) {
      node.trigger = OperationGraph.Trigger.allCases.randomElement(using: &random) ?? .allDone
      // Such a trigger would be refused, because it could never start.
      if node.trigger == .anyFailed, !policy.startsAfterFailure { node.trigger = .allDone }
    }
    node.priority = Int.random(in: -1...1, using: &random) * 100
    if chance(3) { node.needs.append(("x", 1)) }
    if chance(3) { node.needs.append(("y", Int.random(in: 1...2, using: &random))) }
    if chance(5) { node.condition = Bool.random(using: &random) }
    if chance(4) { node.attempts = [chance(8) ? .cancelsItself : .fails] }
    if chance(3) {
      for _ in 0..<2 { node.attempts.append(chance(2) ? .fails : .succeeds) }
      node.delay = chance(2) && isTimed ? 2 : 0
    }
    if node.kind == .function, node.firstEdge == .value, chance(3) {
      node.rounds = Int.random(in: 1...3, using: &random)
      node.condition = nil
    }
    guard isTimed, node.kind != .function else { return }
    node.duration = 2 * Int.random(in: 0...4, using: &random) + 1
    // Only callbacks have timeouts. A task that a timeout cancels stops a little later, when another operation may
    // already have its place.
    if node.kind == .callback, chance(4) {
      node.timeout = 2 * Int.random(in: 1...4, using: &random)
      if chance(3) { node.attempts[0] = .hangs }
    }
  }

  // MARK: How operations end

  enum End: String, Sendable {
    case succeeded, failed, cancelled, skipped
  }

  /// How each operation ends if nothing is cancelled and the policy lets all other operations continue.
  var ends: [End] {
    var ends: [End] = []
    for node in nodes { ends.append(end(of: node, after: node.before.map { ends[$0] })) }
    return ends
  }

  func end(of node: Node, after before: [End]) -> End {
    guard Self.holds(node, before) else {
      return before.contains(.cancelled) ? .cancelled : .skipped
    }
    if node.condition == false, node.firstEdge != .after { return .skipped }
    for attempt in node.attempts {
      if let timeout = node.timeout, node.duration > timeout { continue }
      switch attempt {
      case .succeeds: return .succeeded
      case .cancelsItself: return .cancelled
      case .fails, .hangs: continue
      }
    }
    return .failed
  }

  /// Whether the node may start after its predecessors have ended like this.
  static func holds(_ node: Node, _ before: [End]) -> Bool {
    if node.firstEdge == .value, before.first != .succeeded { return false }
    return switch node.trigger {
    case .allSucceeded: before.allSatisfy { $0 == .succeeded }
    case .allDone: true
    case .anySucceeded: before.contains(.succeeded)
    case .anyFailed: before.contains(.failed)
    case .noneFailed: before.allSatisfy { $0 == .succeeded || $0 == .skipped }
    }
  }
}
