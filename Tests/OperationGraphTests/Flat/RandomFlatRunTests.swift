import AsyncSimulation
import Foundation
import OperationGraph
import PatternTesting
import Testing

/// Compares random graphs with all kinds of work with a sequential calculation of their values.
@Suite struct RandomFlatRunTests {
  static let ways: [(placement: Placement, width: Int)] = [
    (.pool, .max), (.pool, 1), (.pool, 3), (.main, .max), (.inline, .max), (.inline, 2),
  ]

  @Test(arguments: ways)
  func `the values equal those of a sequential run, in any order of events`(
    placement: Placement, width: Int
  ) throws {
    for seed: UInt64 in 0..<150 {
      let runtime = SimulatedRuntime(workers: Int(seed % 4) + 1, seed: seed)
      let graph = RandomValueGraph(seed: seed, on: runtime)
      let results = Locked<[Result<GraphResult, any Error>]>([])
      for input in 0..<2 {
        graph.graph.start(
          graph.input.value(input), width: width, on: placement, runtime: runtime
        ) { result in results.withLock { $0.append(result) } }
        if input == 0 { runtime.runUntilIdle() }
      }
      runtime.runUntilIdle()
      let all = results.withLock { $0 }
      try #require(all.count == 2)
      for (input, result) in all.enumerated() {
        let result = try result.get()
        #expect(
          try graph.operations.map { try result[$0] } == graph.expected(input), "seed \(seed)")
      }
      #expect(graph.starts.withLock { $0 } == Array(repeating: 2, count: graph.operations.count))
      #expect(graph.mostInFlight.withLock { $0 } <= width)
    }
  }

  @Test(arguments: ways)
  func `after a failure none of its dependents starts, and it is the result`(
    placement: Placement, width: Int
  ) throws {
    for seed: UInt64 in 0..<150 {
      let runtime = SimulatedRuntime(workers: Int(seed % 4) + 1, seed: seed)
      let graph = RandomValueGraph(seed: seed, failing: Int(seed) % 3 + 1, on: runtime)
      let results = Locked<[Result<GraphResult, any Error>]>([])
      graph.graph.start(graph.input.value(1), width: width, on: placement, runtime: runtime) {
        result in results.withLock { $0.append(result) }
      }
      runtime.runUntilIdle()
      let all = results.withLock { $0 }
      try #require(all.count == 1)
      let error = #expect(throws: StepFailure.self) { try all[0].get() }
      let failed = try #require(Int(error?.reason ?? ""))
      #expect(graph.failing.contains(failed), "seed \(seed)")
      let starts = graph.starts.withLock { $0 }
      #expect(starts.allSatisfy { $0 <= 1 } && starts[failed] == 1)
      for index in graph.afterFailing { #expect(starts[index] == 0, "seed \(seed)") }
      #expect(graph.inFlight.withLock { $0 } == 0)
    }
  }

  @Test(arguments: ways)
  func `a cancelled run ends once, after its started operations`(
    placement: Placement, width: Int
  ) throws {
    for seed: UInt64 in 0..<100 {
      let runtime = SimulatedRuntime(workers: Int(seed % 4) + 1, seed: seed)
      let graph = RandomValueGraph(seed: seed, on: runtime)
      let results = Locked<[Result<GraphResult, any Error>]>([])
      let cancellation = Cancellation()
      runtime.pool.schedule(after: .microseconds(Int64(seed) * 37)) { cancellation.cancel() }
      graph.graph.start(
        graph.input.value(1), width: width, on: placement, runtime: runtime,
        cancellation: cancellation
      ) { result in results.withLock { $0.append(result) } }
      runtime.runUntilIdle()
      let all = results.withLock { $0 }
      try #require(all.count == 1)
      if case .failure(let error) = all[0] { #expect(error is CancellationError) }
      #expect(graph.inFlight.withLock { $0 } == 0)
      #expect(graph.starts.withLock { $0 }.allSatisfy { $0 <= 1 })
    }
  }

  @Test func `several runs at the same time work on real threads`() async throws {
    let runtime = LiveRuntime(workers: 4)
    for seed: UInt64 in 0..<60 {
      let graph = RandomValueGraph(seed: seed, count: 300, on: runtime)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for input in 0..<4 {
          group.addTask {
            let result = try await graph.graph.run(
              graph.input.value(input), width: input == 3 ? 2 : .max, runtime: runtime)
            #expect(
              try graph.operations.map { try result[$0] } == graph.expected(input),
              "seed \(seed)")
          }
        }
        try await group.waitForAll()
      }
      #expect(graph.starts.withLock { $0 }.allSatisfy { $0 == 4 })
    }
  }

  /// Runs in separate processes, so that no other test affects the measurement.
  @Test(.unlessThreadSanitized) func `a million operations are built, run and released`() async {
    await #expect(processExitsWith: .success) { try await MillionOperations.run(on: .pool) }
    await #expect(processExitsWith: .success) { try await MillionOperations.run(on: .inline) }
  }

  @Test func `of many failures on real threads one is the result`() async throws {
    let runtime = LiveRuntime(workers: 4)
    for seed: UInt64 in 0..<60 {
      let graph = RandomValueGraph(seed: seed, count: 300, failing: 20, on: runtime)
      let error = await #expect(throws: StepFailure.self) {
        try await graph.graph.run(graph.input.value(1), runtime: runtime)
      }
      #expect(graph.failing.contains(Int(error?.reason ?? "") ?? -1))
      let starts = graph.starts.withLock { $0 }
      for index in graph.afterFailing { #expect(starts[index] == 0) }
      #expect(graph.inFlight.withLock { $0 } == 0)
    }
  }
}

/// A graph whose operations each add up their inputs, with the expected values.
private struct RandomValueGraph: Sendable {
  private(set) var graph = OperationGraph()
  let input: OperationGraph.Operation<Int>
  private(set) var operations: [OperationGraph.Operation<Int>] = []
  /// For each operation, the operations whose values it adds up. If there is only one, it is listed twice.
  private var inputs: [[Int]] = []
  private var orders: [[Int]] = []
  private(set) var failing: Set<Int> = []
  let starts: Locked<[Int]>
  let inFlight = Locked(0)
  let mostInFlight = Locked(0)

  init(
    seed: UInt64, count: Int? = nil, failing failures: Int = 0, on runtime: any Runtime
  ) {
    var random = SeededGenerator(seed: seed)
    let count = count ?? Int.random(in: 1...40, using: &random)
    for _ in 0..<failures { failing.insert(Int.random(in: 0..<count, using: &random)) }
    starts = Locked(Array(repeating: 0, count: count))
    input = graph.input()
    for index in 0..<count {
      let some = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
        (0..<index).randomElement(using: &random)
      }
      let kind = Int.random(in: 0..<4, using: &random)
      let delay = Duration.microseconds(Int.random(in: 0...900, using: &random))
      add(index, some, kind, delay, runtime)
      // Some operations depend on others without taking their values.
      let before =
        Int.random(in: 0...2, using: &random) == 0 ? (0..<index).randomElement(using: &random) : nil
      if let before { graph.addDependency(of: operations[index], on: operations[before]) }
      orders.append(before.map { [$0] } ?? [])
    }
  }

  private mutating func add(
    _ index: Int, _ some: [Int], _ kind: Int, _ delay: Duration, _ runtime: any Runtime
  ) {
    let (starts, inFlight, mostInFlight) = (starts, inFlight, mostInFlight)
    let fails = failing.contains(index)
    let begin: @Sendable () -> Void = {
      starts.withLock { $0[index] += 1 }
      let now = inFlight.withLock { inFlight in
        inFlight += 1
        return inFlight
      }
      mostInFlight.withLock { $0 = max($0, now) }
    }
    let end: @Sendable (Int) throws -> Int = { sum in
      inFlight.withLock { $0 -= 1 }
      if fails { throw StepFailure("\(index)") }
      return sum &* 31 &+ index
    }
    inputs.append(some)
    let values = some.map { operations[$0] }
    switch (kind, values.count) {
    case (0, 0):
      operations.append(
        graph.add("o\(index)", input) { input in
          begin()
          return try end(input)
        })
    case (0, 1):
      operations.append(
        graph.add("", input, values[0]) { input, one in
          begin()
          return try end(input &+ one)
        })
    case (1, 2):
      operations.append(
        graph.add("", values[0], values[1], input) { one, two, input in
          begin()
          await Task.yield()
          return try end(input &+ one &+ two)
        })
    case (2, _):
      operations.append(
        graph.addWithCompletion("", input, graph.join(values), of: Int.self) {
          input, values, done in
          begin()
          runtime.pool.schedule(after: delay) {
            done(Result { try end(values.reduce(input, &+)) })
          }
        })
    default:
      operations.append(
        graph.addWithCompletion("", input, graph.join(values), of: Int.self) {
          input, values, done in
          begin()
          done(Result { try end(values.reduce(input, &+)) })
        })
    }
  }

  func expected(_ input: Int) -> [Int] {
    var values: [Int] = []
    for (index, some) in inputs.enumerated() {
      values.append(some.reduce(input) { $0 &+ values[$1] } &* 31 &+ index)
    }
    return values
  }

  /// For each operation, whether it depends on one that fails.
  var afterFailing: [Int] {
    var isAfter = inputs.map { _ in false }
    for index in inputs.indices {
      isAfter[index] = (inputs[index] + orders[index]).contains {
        isAfter[$0] || failing.contains($0)
      }
    }
    return inputs.indices.filter { isAfter[$0] }
  }
}

private enum MillionOperations {
  struct Missing: Error { let ended: Int }
  struct Grown: Error { let bytes: Int }

  static func run(on placement: Placement) async throws {
    let count = 1_000_000
    let ended = Locked(0)
    let before = usedBytes
    var graph = OperationGraph()
    var last = graph.add { ended.withLock { $0 += 1 } }
    for index in 1..<count {
      let next = graph.add(after: last) { ended.withLock { $0 += 1 } }
      // Half of the operations form a chain, and the other half depend on its end.
      if index < count / 2 { last = next }
    }
    try await graph.run(on: placement)
    guard ended.withLock({ $0 }) == count else { throw Missing(ended: ended.withLock { $0 }) }
    let grown = usedBytes - before
    // Each operation may take 128 bytes, with reserves for growing lists and for debug builds.
    guard grown < 512 << 20 else { throw Grown(bytes: grown) }
  }
}
