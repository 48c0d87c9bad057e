import AsyncPatterns
import OperationGraph
import OperationGraphPatterns
import Testing

/// Tests graphs on real threads.
@Suite struct OperationGraphLiveTests {
  @Test func `a graph can be awaited`() async throws {
    var graph = OperationGraph()
    let number = graph.input(Int.self)
    let a = graph.add("a", number) { $0 + 1 }
    let b = graph.add("b", number) { number in
      await Task.yield()
      return number * 2
    }
    let c = graph.addWithCompletion("c", a, b, of: Int.self) { a, b, done in
      LiveRuntime.shared.pool.schedule { done(.success(a * b)) }
    }
    let result = try await graph.run(number.value(21))
    #expect(try result[c] == 22 * 42)
    #expect(try await graph.run(number.value(1), width: 1, on: .inline)[c] == 4)
  }

  static let ways: [(placement: Placement, width: Int)] = [
    (.pool, .max), (.pool, 3), (.inline, .max), (.inline, 3),
  ]

  @Test(arguments: ways)
  func `each operation runs once, after its predecessors and within the width`(
    placement: Placement, width: Int
  ) async throws {
    let runtime = LiveRuntime(workers: 4)
    for seed: UInt64 in 1...8 {
      var random = SeededGenerator(seed: seed)
      let count = 2_000
      let log = Locked(Executions(count))
      var graph = OperationGraph()
      var nodes: [OperationGraph.Operation<Int>] = []
      for index in 0..<count {
        let before = (0..<Int.random(in: 0...3, using: &random)).compactMap { _ in
          (0..<nodes.count).randomElement(using: &random)
        }
        let starts: @Sendable () -> Void = {
          log.withLock { $0.begin(index, after: before) }
        }
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          nodes.append(
            graph.add {
              starts()
              log.withLock { $0.end(index) }
              return index
            })
        case 1:
          nodes.append(
            graph.add { () async throws -> Int in
              starts()
              await Task.yield()
              log.withLock { $0.end(index) }
              return index
            })
        case 2:
          nodes.append(
            graph.addWithCompletion(of: Int.self) { done in
              starts()
              log.withLock { $0.end(index) }
              done(.success(index))
            })
        default:
          nodes.append(
            graph.addWithCompletion(of: Int.self) { done in
              starts()
              runtime.pool.schedule {
                log.withLock { $0.end(index) }
                done(.success(index))
              }
            })
        }
        graph.addDependencies(of: nodes[index], on: before.map { nodes[$0] })
      }
      let all = graph.join(nodes)
      let values = try await graph.run(width: width, on: placement, runtime: runtime)[all]
      #expect(values == Array(0..<count))
      let executions = log.withLock { $0 }
      #expect(executions.starts == Array(repeating: 1, count: count))
      #expect(!executions.wasTooEarly)
      #expect(executions.most <= width)
    }
  }

  @Test(arguments: ways) func `of many failures exactly one is delivered`(
    placement: Placement, width: Int
  ) async throws {
    let runtime = LiveRuntime(workers: 4)
    for _ in 1...50 {
      var graph = OperationGraph()
      for index in 0..<100 {
        graph.addWithCompletion(of: Int.self) { done in
          runtime.pool.schedule { done(.failure(StepFailure("\(index)"))) }
        }
      }
      await #expect(throws: StepFailure.self) {
        try await graph.run(width: width, on: placement, runtime: runtime)
      }
    }
  }

  @Test func `cancelling the awaiting task ends the run when the running operations have ended`()
    async throws
  {
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let ended = Locked(0)
    var graph = OperationGraph()
    let first = graph.addWithCompletion { done in
      done.onCancel {
        ended.withLock { $0 += 1 }
        done()
      }
      begin.yield()
    }
    graph.add(after: first) { ended.withLock { $0 += 100 } }
    let running = graph
    let task = Task { try await running.run() }
    for await _ in begun { break }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(ended.withLock { $0 } == 1)
  }

  @Test func `the patterns run on real threads`() async throws {
    let runtime = LiveRuntime(workers: 4)
    // The naive group does not wait for its steps.
    for type in OperationGraphPlugin.patterns where type.manual.name != "group.naive" {
      let steps = (0..<50).map { index in
        var step = Step.value("s-\(index)", .integer(index))
        step.options["on"] = .string(index % 2 == 0 ? "pool" : "main")
        if index % 3 == 0 { step = .work("s-\(index)", .microseconds(10)) }
        if type.manual.name == "graph", index >= 5 { step.predecessors = ["s-\(index - 5)"] }
        return step
      }
      let whole = Step("whole", pattern: try type.init(["width": .integer(3)]), steps: steps)
      let result = try await withCheckedThrowingContinuation { continuation in
        Run(whole, input: .integer(-1), on: runtime) { continuation.resume(with: $0) }
      }
      #expect(result == .list((0..<50).map { .integer($0 % 3 == 0 ? -1 : $0) }))
    }
  }
}

/// The starts and ends that operations record, protected by a lock.
private struct Executions {
  private(set) var starts: [Int]
  private var hasEnded: [Bool]
  private var now = 0
  private(set) var most = 0
  private(set) var wasTooEarly = false

  init(_ count: Int) {
    starts = Array(repeating: 0, count: count)
    hasEnded = Array(repeating: false, count: count)
  }

  mutating func begin(_ index: Int, after before: [Int]) {
    starts[index] += 1
    if !before.allSatisfy({ hasEnded[$0] }) { wasTooEarly = true }
    now += 1
    most = max(most, now)
  }

  mutating func end(_ index: Int) {
    hasEnded[index] = true
    now -= 1
  }
}
