import AsyncSimulation
import OperationGraph
import Promises
import RunLoopTransaction
import SerialQueue
import Testing

/// What the operations of the libraries cost, from the call to the end, including the release of everything.
struct LibraryCountsTests {
  @Test func `a synchronous function of a serial queue`() {
    let counts = Counts { count in
      let queue = SerialQueue(on: .inline)
      for _ in 0..<count { queue.enqueue {} }
    }
    #expect(counts == Counts(allocations: 1, retains: 3, locks: 4))
  }

  @Test func `a function of a serial queue that calls a completion`() {
    let counts = Counts { count in
      let queue = SerialQueue(on: .inline)
      for _ in 0..<count { queue.enqueueWithCompletion { $0() } }
    }
    #expect(counts == Counts(allocations: 2, retains: 3, locks: 4))
  }

  /// Includes the hop of the task that the simulated runtime runs.
  @Test func `an awaited function of a serial queue`() {
    let counts = Counts(ofEach: { perform in
      let runtime = SimulatedRuntime()
      let queue = SerialQueue(on: .inline, runtime: runtime)
      Task(executorPreference: SchedulerExecutor(runtime.main)) {
        for _ in 0..<(4 * Counts.number) {
          _ = try await queue.run { 1 }
          perform()
        }
      }
      runtime.runUntilIdle()
    })
    #expect(counts == Counts(allocations: 3, retains: 6, locks: 12))
  }

  @Test func `a map on a pending promise`() {
    let counts = Counts { count in
      let (promise, resolver) = Promise<Int, Never>.withResolvers(on: .inline)
      var last = promise
      for _ in 0..<count { last = last.map { $0 + 1 } }
      resolver.fulfill(1)
    }
    #expect(counts == Counts(allocations: 1, retains: 4, locks: 0))
  }

  @Test func `a map with a placement of its own`() {
    let counts = Counts { count in
      let (promise, resolver) = Promise<Int, Never>.withResolvers(on: .inline)
      for _ in 0..<count { _ = promise.map(on: .pool) { $0 + 1 } }
      withExtendedLifetime(resolver) {}
    }
    #expect(counts == Counts(allocations: 1, retains: 5, locks: 0))
  }

  @Test func `a map on a settled promise`() {
    let counts = Counts { count in
      var last = Promise<Int, Never>.fulfilled(1, on: .inline)
      for _ in 0..<count { last = last.map { $0 + 1 } }
    }
    #expect(counts == Counts(allocations: 1, retains: 0, locks: 0))
  }

  @Test func `a then on a pending promise that returns a settled one`() {
    let counts = Counts { count in
      let (promise, resolver) = Promise<Int, Never>.withResolvers(on: .inline)
      var last = promise
      for _ in 0..<count { last = last.then { .fulfilled($0 + 1) } }
      resolver.fulfill(1)
    }
    #expect(counts == Counts(allocations: 2, retains: 6, locks: 0))
  }

  /// The shape of the benchmark doxbee-sequential: two calls together, then five in a row.
  @Test func `seven calls that a serial scheduler completes`() {
    let counts = Counts(ofEach: { perform in
      let runtime = SimulatedRuntime()
      let scheduler = runtime.main
      @Sendable func call(_ value: Int) -> Promise<Int, any Error> {
        Promise(on: .scheduler(scheduler)) { resolver in
          scheduler.schedule { resolver.fulfill(value) }
        }
      }
      @Sendable func upload(_ left: Int) {
        Promise.all([call(1), call(2)])
          .then { values in call(values[0] + values[1]) }
          .then { version in call(version).then { call($0) }.map { $0 + 1 } }
          .then { file in call(file) }
          .then { file in call(file) }
          .done { _ in
            perform()
            if left > 1 { upload(left - 1) }
          }
      }
      upload(4 * Counts.number)
      runtime.runUntilIdle()
    })
    #expect(counts == Counts(allocations: 69, retains: 246, locks: 0))
  }

  @Test func `an operation of a chain in a graph`() {
    let counts = Counts { count in
      var graph = OperationGraph()
      var last = graph.add {}
      for _ in 0..<count { last = graph.add(after: last) {} }
      graph.start(on: .inline) { _ in }
    }
    #expect(counts == Counts(allocations: 0, retains: 1, locks: 0))
  }

  @Test func `a commit of a new transaction`() {
    let runtime = SimulatedRuntime()
    let loop = runtime.runLoop("loop")
    let queue = TransactionQueue(on: loop)
    let targets = (0..<2_000).map { _ in Target() }
    let counts = Counts { count in
      for target in targets.prefix(count) {
        Transaction(target, "layout") { _ in }.commit(to: queue)
      }
      runtime.runUntilIdle()
    }
    #expect(counts == Counts(allocations: 1, retains: 7, locks: 1))
  }

  private final class Target: Sendable {}
}
