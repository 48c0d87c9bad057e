import AsyncSimulation
import OperationGraph
import Testing

/// Checks that a graph without options gives the same results in a flat run and in a coordinated one.
@Suite struct DifferentialTests {
  static let ways: [(placement: Placement, width: Int)] = [
    (.pool, .max), (.pool, 1), (.pool, 3), (.main, .max), (.inline, .max), (.inline, 2),
  ]

  @Test(arguments: ways)
  func `values, failures and cancellations are the same`(
    placement: Placement, width: Int
  ) throws {
    for seed: UInt64 in 0..<400 {
      let graph = RandomSums(seed: seed)
      let flat = graph.run(width: width, on: placement, isCoordinated: false)
      let coordinated = graph.run(width: width, on: placement, isCoordinated: true)
      #expect(flat == coordinated, "seed \(seed)")
    }
  }
}

/// A graph whose operations each add up the numbers of some earlier ones after a random time.
private struct RandomSums {
  private let before: [[Int]]
  private let durations: [Int]
  private let failing: Set<Int>
  private let cancelTime: Int?

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 0...25, using: &random)
    before = (0..<count).map { index in
      Array((0..<index).shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)))
    }
    // No two operations end at the same time, because the two kinds of runs may order such ends differently.
    durations = (0..<count).map { _ in Int.random(in: 1...1_000_000_000, using: &random) }
    // There may be failures, a cancellation, neither or both. A failure may come before or after the cancellation.
    failing = Set((0..<count).filter { _ in Int.random(in: 0..<4, using: &random) < seed % 2 })
    cancelTime = seed % 4 < 2 ? Int.random(in: 0...2_000_000_000, using: &random) : nil
  }

  /// The results of the run, and the start time of each operation in nanoseconds.
  func run(width: Int, on placement: Placement, isCoordinated: Bool) -> [String] {
    let runtime = SimulatedRuntime()
    let log = Log()
    var graph = OperationGraph()
    var operations: [OperationGraph.Operation<Int>] = []
    for index in before.indices {
      operations.append(add(index, to: &graph, operations, runtime, log))
    }
    let all = graph.join(operations)
    let cancellation = Cancellation()
    let completion: @Sendable (Result<GraphResult, any Error>) -> Void = { result in
      log.append("\(result.flatMap { values in Result { try values[all] } })")
    }
    if isCoordinated {
      do {
        _ = try graph.launch(
          width: width, on: placement, runtime: runtime, cancellation: cancellation,
          completion: completion)
      } catch {
        log.append("\(error)")
      }
    } else {
      graph.start(
        width: width, on: placement, runtime: runtime, cancellation: cancellation,
        completion: completion)
    }
    if let cancelTime {
      runtime.pool.schedule(after: .nanoseconds(cancelTime)) { cancellation.cancel() }
    }
    runtime.runUntilIdle()
    return log.entries
  }

  private func add(
    _ index: Int, to graph: inout OperationGraph, _ known: [OperationGraph.Operation<Int>],
    _ runtime: SimulatedRuntime, _ log: Log
  ) -> OperationGraph.Operation<Int> {
    let (duration, fails) = (Duration.nanoseconds(durations[index]), failing.contains(index))
    let inputs = graph.join(before[index].map { known[$0] })
    return graph.addWithCompletion("\(index)", inputs, of: Int.self) {
      numbers, done in
      log.append("\(index) at \(runtime.now.nanoseconds)")
      runtime.pool.schedule(after: duration) {
        done(fails ? .failure(StepFailure("\(index)")) : .success(numbers.reduce(1, &+)))
      }
    }
  }
}
