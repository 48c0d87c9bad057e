import AsyncSimulation
import OperationGraph
import PatternTesting
import Testing

/// Compares the order in which operations with triggers and priorities start with a simple model.
@Suite struct StartOrderTests {
  @Test func `what is ready because another was skipped starts in the order of adding`() throws {
    let stage = Stage()
    var graph = OperationGraph()
    let failing = graph.addWithCompletion(
      "failing", of: String.self, perform: stage.fail("failing", 1))
    let skipped = graph.addWithCompletion(
      "skipped", of: String.self, after: failing, perform: stage.work("skipped", 1))
    graph.addWithCompletion(
      "first", of: String.self, after: skipped, with: .trigger(.allDone),
      perform: stage.work("first", 1))
    graph.addWithCompletion(
      "second", of: String.self, after: failing, with: .trigger(.allDone),
      perform: stage.work("second", 1))
    _ = try graph.launch(width: 1, onFailure: .continue, runtime: stage.runtime)
    stage.finish()
    #expect(
      stage.log.entries == ["failing+0", "failing-1", "first+1", "first-2", "second+2", "second-3"])
  }

  @Test(arguments: [1, 2, 3, 7])
  func `operations start at the expected times`(width: Int) throws {
    for seed in 0..<UInt64(200 * SearchLength.factor) {
      let graph = RandomTriggers(seed: seed)
      let stage = Stage()
      _ = try graph.made(for: stage).launch(
        width: width, onFailure: .continue, runtime: stage.runtime)
      stage.finish()
      let starts = stage.log.entries.filter { $0.contains("+") }
      #expect(starts == graph.starts(width: width), "seed \(seed)")
    }
  }
}

/// A random graph of operations that succeed or fail after some time.
private struct RandomTriggers {
  struct Node {
    var before: [Int] = []
    var trigger = OperationGraph.Trigger.allSucceeded
    var priority = 0
    var fails = false
    /// In milliseconds. Each is a different power of two, so that no two operations end at the same time.
    let duration: Int
  }

  let nodes: [Node]

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...9, using: &random)
    let durations = (0..<count).shuffled(using: &random)
    nodes = durations.indices.map { index in
      var node = Node(duration: 1 << durations[index])
      node.before = (0..<index).filter { _ in Int.random(in: 0..<3, using: &random) == 0 }
      if !node.before.isEmpty {
        node.trigger = OperationGraph.Trigger.allCases.randomElement(using: &random) ?? .allDone
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        node.priority = Int.random(in: -1...1, using: &random)
      }
      node.fails = Int.random(in: 0..<3, using: &random) == 0
      return node
    }
  }

  func made(for stage: Stage) -> OperationGraph {
    var graph = OperationGraph()
    var made: [OperationGraph.Operation<String>] = []
    for (index, node) in nodes.enumerated() {
      let name = "\(index)"
      let work = node.fails ? stage.fail(name, node.duration) : stage.work(name, node.duration)
      made.append(
        graph.addWithCompletion(
          name, of: String.self, after: node.before.map { made[$0] },
          with: .trigger(node.trigger), .priority(Priority(node.priority)), perform: work))
    }
    return graph
  }

  // MARK: The model

  private enum End { case succeeded, failed, skipped }

  /// The expected starts as “name+milliseconds”, in order. An operation also has the priorities of those that wait for it.
  func starts(width: Int) -> [String] {
    var ends: [Int: End] = [:]
    var (waiting, ready, running) = (Array(nodes.indices), [Int](), [(node: Int, end: Int)]())
    var (starts, now) = ([String](), 0)
    while true {
      ready += takeReady(&waiting, &ends)
      while running.count < width, let next = firstToStart(ready) {
        let node = ready.remove(at: next)
        starts.append("\(node)+\(now)")
        running.append((node, now + nodes[node].duration))
      }
      guard let next = running.indices.min(by: { running[$0].end < running[$1].end }) else {
        return starts
      }
      let ended = running.remove(at: next)
      now = ended.end
      ends[ended.node] = nodes[ended.node].fails ? .failed : .succeeded
    }
  }

  /// Ends what is skipped, and takes out what becomes ready together, in the order of adding.
  private func takeReady(_ waiting: inout [Int], _ ends: inout [Int: End]) -> [Int] {
    var ready: [Int] = []
    // Operations only wait for earlier ones, so one pass finds everything.
    for node in waiting {
      let before = nodes[node].before.map { ends[$0] }
      if holds(nodes[node].trigger, before) {
        ready.append(node)
      } else if !before.contains(nil) {
        ends[node] = .skipped
      }
    }
    waiting.removeAll { ready.contains($0) || ends[$0] != nil }
    return ready
  }

  private func holds(_ trigger: OperationGraph.Trigger, _ before: [End?]) -> Bool {
    switch trigger {
    case .allSucceeded: before.allSatisfy { $0 == .succeeded }
    case .allDone: !before.contains(nil)
    case .anySucceeded: before.contains(.succeeded)
    case .anyFailed: before.contains(.failed)
    case .noneFailed: before.allSatisfy { $0 == .succeeded || $0 == .skipped }
    }
  }

  /// The position of the first of those with the highest priority.
  private func firstToStart(_ ready: [Int]) -> Int? {
    ready.indices.max { (priority(of: ready[$0]), $1) < (priority(of: ready[$1]), $0) }
  }

  private func priority(of node: Int) -> Int {
    let successors = nodes.indices.filter { nodes[$0].before.contains(node) }
    return ([nodes[node].priority] + successors.map(priority(of:))).max() ?? 0
  }
}
