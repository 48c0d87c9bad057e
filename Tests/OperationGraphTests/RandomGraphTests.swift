import AsyncSimulation
import OperationGraph
import Testing

/// Compares random graphs with a simple calculation of the times at which their steps start.
@Suite struct RandomGraphTests {
  @Test(arguments: [nil, 1, 2, 3, 7] as [Int?])
  func `steps start at the expected times`(width: Int?) throws {
    for seed: UInt64 in 0..<60 {
      let graph = RandomGraph(seed: seed)
      let outcome = try simulate("graph", graph.steps, width: width)
      let expected = graph.starts(width: width ?? .max)
      #expect(Array(outcome.recording.times(.started).dropFirst()) == expected, "seed \(seed)")
      #expect(outcome.recording.mostConcurrent <= width ?? .max)
      let labels = graph.steps.map(\.label)
      #expect(outcome.value == .list(labels.map { _ in Value.none }))
    }
  }

  @Test func `in any order of events each step starts once and after its predecessors`() throws {
    for seed: UInt64 in 1..<100 {
      let graph = RandomGraph(seed: seed)
      let outcome = try simulate("graph", graph.steps, width: Int(seed % 4) + 1, seed: seed)
      let events = outcome.recording.events
      let names = Dictionary(
        events.filter { $0.kind == .submitted }.map { ($0.span, $0.name) },
        uniquingKeysWith: { $1 })
      var finished: Set<String> = []
      var started: [String] = []
      for event in events {
        let name = names[event.span] ?? ""
        if event.kind == .finished { finished.insert(name) }
        guard event.kind == .started, let step = graph.steps.first(where: { $0.label == name })
        else { continue }
        started.append(name)
        #expect(finished.isSuperset(of: step.predecessors))
      }
      #expect(started.sorted() == graph.steps.map(\.label).sorted())
      #expect(outcome.recording.mostConcurrent <= Int(seed % 4) + 1)
    }
  }

  @Test func `after the failure of any step no step starts, least of all its dependents`()
    throws
  {
    for seed: UInt64 in 0..<60 {
      var graph = RandomGraph(seed: seed)
      let failing = Int(seed) % graph.steps.count
      let label = graph.steps[failing].label
      var step = Step.fail(label, "no such page")
      step.predecessors = graph.steps[failing].predecessors
      graph.steps[failing] = step
      let outcome = try simulate("graph", graph.steps, width: Int(seed % 3) + 1)
      #expect(outcome.error as? StepFailure == StepFailure("no such page"))
      let events = outcome.recording.events
      // Steps that became ready together with the immediately failing one start together with it.
      let failure = try #require(events.first { $0.outcome == .failure }).time
      #expect(!events.contains { $0.kind == .started && $0.time > failure })
      let started = outcome.recording.times(.started)
      for step in graph.steps where step.predecessors.contains(label) {
        #expect(!started.contains { $0.hasPrefix("\(step.label)@") })
      }
      #expect(
        events.count { $0.kind == .started } == events.count { $0.kind == .finished },
        "what started has ended")
    }
  }
}

/// A graph of steps that sleep, each of which depends on some others.
private struct RandomGraph {
  var steps: [Step]
  private let durations: [Int]
  /// For each step, the positions of its predecessors.
  private let before: [[Int]]

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...40, using: &random)
    let density = Int.random(in: 1...10, using: &random)
    // A step may depend on any step before it in this order, independent of the written order.
    let order = Array(0..<count).shuffled(using: &random)
    var before = [[Int]](repeating: [], count: count)
    for place in 1..<max(count, 1) where place < count {
      for earlier in 0..<place where Int.random(in: 0..<20, using: &random) < density {
        before[order[place]].append(order[earlier])
      }
    }
    durations = (0..<count).map { _ in Int.random(in: 1...9, using: &random) }
    self.before = before
    steps = []
    for index in 0..<count {
      var step = Step.sleep("s\(index)", .ms(durations[index]))
      step.predecessors = before[index].map { "s\($0)" }
      steps.append(step)
    }
  }

  /// The expected starts as “label@milliseconds”, in order. The step that is ready first starts first. Of steps that
  /// end at the same time, the one that started first ends first.
  func starts(width: Int) -> [String] {
    var waiting = before.map { Set($0) }
    var ready = steps.indices.filter { before[$0].isEmpty }
    var running: [(step: Int, end: Int)] = []
    var starts: [String] = []
    var now = 0
    while true {
      while running.count < width, !ready.isEmpty {
        let step = ready.removeFirst()
        starts.append("s\(step)@\(now)")
        running.append((step, now + durations[step]))
      }
      guard let next = running.indices.min(by: { running[$0].end < running[$1].end }) else {
        return starts
      }
      let (step, end) = running.remove(at: next)
      now = end
      for index in steps.indices where waiting[index].remove(step) != nil {
        if waiting[index].isEmpty { ready.append(index) }
      }
    }
  }
}
