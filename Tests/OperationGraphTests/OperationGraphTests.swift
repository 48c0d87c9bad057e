import OperationGraph
import Simulation
import Testing

/// The graph as a library's user sees it, on the virtual clock.
@Suite struct OperationGraphTests {
  private let recording: Recording
  private let runtime: SimulatedRuntime
  private let log = Log()

  init() {
    recording = Recording()
    runtime = SimulatedRuntime(trace: recording)
  }

  private typealias Graph = OperationGraph<Void, String>

  /// Work that ends after a time and writes down both.
  private func work(
    _ name: String, _ duration: Duration
  ) -> @Sendable (Void, Graph.Done) -> Void {
    { [log, runtime] _, done in
      log.append("\(name)+\(runtime.now.nanoseconds / 1_000_000)")
      runtime.pool.schedule(after: duration) {
        log.append("\(name)-\(runtime.now.nanoseconds / 1_000_000)")
        done(.success(name))
      }
    }
  }

  /// Runs a graph until nothing is left to do.
  private func run<Input, Output>(
    _ graph: OperationGraph<Input, Output>, _ input: Input, width: Int = .max,
    on placement: Placement = .pool, cancellation: Cancellation = Cancellation()
  ) -> [Result<[Output], any Error>] {
    let results = Locked<[Result<[Output], any Error>]>([])
    graph.start(
      input, width: width, on: placement, runtime: runtime, cancellation: cancellation
    ) { result in results.withLock { $0.append(result) } }
    runtime.runUntilIdle()
    return results.withLock { $0 }
  }

  static let placements: [Placement] = [.pool, .main, .inline]

  @Test(arguments: placements) func `all three kinds of work share one graph`(
    _ placement: Placement
  ) throws {
    var graph = Graph()
    let clock = SchedulerClock(runtime.pool)
    let a = graph.add("a", perform: work("a", .ms(20)))
    let b = graph.add("b") {
      try await clock.sleep(until: clock.now.advanced(by: .ms(10)))
      return "b"
    }
    let c = graph.add("c", after: [a, b]) { [log] in
      log.append("c")
      return "c"
    }
    graph.add("d", after: [c], perform: work("d", .ms(5)))
    let results = run(graph, (), on: placement)
    try #require(results.count == 1)
    #expect(try results[0].get() == ["a", "b", "c", "d"])
    #expect(log.entries == ["a+0", "a-20", "c", "d+20", "d-25"])
  }

  @Test(arguments: placements) func `the width bounds what is in flight, first in first out`(
    _ placement: Placement
  ) throws {
    var graph = Graph()
    for (name, duration) in [("a", 10), ("b", 15), ("c", 10), ("d", 10)] {
      graph.add(perform: work(name, .ms(duration)))
    }
    #expect(try run(graph, (), width: 2, on: placement)[0].get() == ["a", "b", "c", "d"])
    #expect(log.entries == ["a+0", "b+0", "a-10", "c+10", "b-15", "d+15", "c-20", "d-25"])
  }

  @Test func `work that holds its worker spreads over the workers`() throws {
    var graph = OperationGraph<Void, Lane>()
    for _ in 1...8 {
      graph.add { [runtime] in
        runtime.work(for: .ms(10))
        return LaneContext.current.lane
      }
    }
    let lanes = try run(graph, ())[0].get()
    #expect(Set(lanes).count == 4)
    #expect(runtime.now == Instant(nanoseconds: 20_000_000))
    _ = run(graph, (), width: 2)
    #expect(runtime.now == Instant(nanoseconds: 60_000_000))
    _ = run(graph, (), on: .main)
    #expect(runtime.now == Instant(nanoseconds: 140_000_000))
  }

  @Test func `a chain of functions stays on its worker`() throws {
    var graph = OperationGraph<Void, Lane>()
    var last: [OperationGraph<Void, Lane>.Node] = []
    for _ in 1...100 { last = [graph.add(after: last) { LaneContext.current.lane }] }
    #expect(Set(try run(graph, ())[0].get()).count == 1)
  }

  @Test func `one graph runs again and again, each time with its own input`() throws {
    var graph = OperationGraph<Int, Int>()
    let a = graph.add { $0 + 1 }
    graph.add(after: [a]) { $0 * 2 }
    for input in 1...3 { #expect(try run(graph, input)[0].get() == [input + 1, input * 2]) }
    var longer = graph
    longer.add { -$0 }
    #expect(try run(longer, 5)[0].get() == [6, 10, -5])
    #expect(try run(graph, 5)[0].get() == [6, 10])
    graph.add { $0 * 100 }
    #expect(try run(graph, 5)[0].get() == [6, 10, 500])
    #expect(try run(longer, 5)[0].get() == [6, 10, -5])
  }

  @Test(arguments: placements) func `the first failure ends it, when what is in flight has ended`(
    _ placement: Placement
  ) throws {
    var graph = Graph()
    let a = graph.add("a", perform: work("a", .ms(20)))
    let b = graph.add("b") { _, done in
      runtime.pool.schedule(after: .ms(10)) { done(.failure(StepFailure("no such page"))) }
    }
    graph.add("c", after: [b], perform: work("c", .ms(5)))
    graph.add("d", after: [a], perform: work("d", .ms(5)))
    let results = run(graph, (), on: placement)
    #expect(throws: StepFailure("no such page")) { try results[0].get() }
    #expect(results.count == 1)
    #expect(log.entries == ["a+0", "a-20"])
    #expect(runtime.now == Instant(nanoseconds: 20_000_000))
  }

  @Test(arguments: placements) func `a function that throws lets nothing more start`(
    _ placement: Placement
  ) throws {
    var graph = Graph()
    let a = graph.add("a") { () throws -> String in throw StepFailure("no such page") }
    graph.add("b", after: [a], perform: work("b", .ms(5)))
    graph.add("c", perform: work("c", .ms(5)))
    let results = run(graph, (), width: 1, on: placement)
    #expect(throws: StepFailure("no such page")) { try results[0].get() }
    #expect(log.entries.isEmpty)
  }

  @Test(arguments: placements) func `cancelling tells what is in flight and starts nothing more`(
    _ placement: Placement
  ) throws {
    var graph = Graph()
    let clock = SchedulerClock(runtime.pool)
    let a = graph.add("a") { [log] _, done in
      done.onCancel {
        log.append("a is told: \(done.isCancelled)")
        done(.success("a"))
      }
    }
    graph.add("b") { [log] in
      do {
        try await clock.sleep(until: clock.now.advanced(by: .ms(100)))
      } catch {
        log.append("b is told: \(error is CancellationError)")
      }
      return "b"
    }
    graph.add("c", after: [a], perform: work("c", .ms(5)))
    let cancellation = Cancellation()
    runtime.pool.schedule(after: .ms(10)) { cancellation.cancel() }
    let results = run(graph, (), on: placement, cancellation: cancellation)
    #expect(throws: CancellationError.self) { try results[0].get() }
    #expect(log.entries.sorted() == ["a is told: true", "b is told: true"])
    #expect(runtime.now == Instant(nanoseconds: 10_000_000))
  }

  @Test(arguments: placements) func `cancelled before it begins it starts nothing`(
    _ placement: Placement
  ) throws {
    var graph = Graph()
    graph.add("a", perform: work("a", .ms(5)))
    let cancellation = Cancellation()
    cancellation.cancel()
    let results = run(graph, (), on: placement, cancellation: cancellation)
    #expect(throws: CancellationError.self) { try results[0].get() }
    #expect(results.count == 1)
    #expect(log.entries.isEmpty)
  }

  @Test func `a run leaves nothing with a cancellation that outlives it`() throws {
    var graph = Graph()
    graph.add { "a" }
    graph.add {
      await Task.yield()
      return "b"
    }
    graph.add { _, done in done(.success("c")) }
    let cancellation = Cancellation()
    final class Held: Sendable {}
    weak var gone: Held?
    do {
      let held = Held()
      gone = held
      graph.add {
        await Task.yield()
        return withExtendedLifetime(held) { "d" }
      }
      #expect(try run(graph, (), cancellation: cancellation)[0].get().count == 4)
      graph = Graph()
    }
    #expect(gone == nil)
    cancellation.cancel()
  }

  @Test func `a second call is reported and ignored`() throws {
    var graph = Graph()
    let a = graph.add("a") { _, done in
      done(.success("a"))
      done(.success("again"))
    }
    graph.add("b", after: [a], perform: work("b", .ms(5)))
    #expect(try run(graph, ())[0].get() == ["a", "b"])
    #expect(recording.misuse == ["completed-twice"])
    #expect(log.entries == ["b+0", "b-5"])
  }

  @Test(arguments: ["page", ""]) func `a dropped done is reported and fails its operation`(
    _ label: String
  ) throws {
    var graph = Graph()
    graph.add(perform: work("a", .ms(5)))
    graph.add(label) { _, _ in }
    let results = run(graph, ())
    let name = label.isEmpty ? "operation 2" : label
    #expect(throws: CompletionDropped(step: name)) { try results[0].get() }
    #expect(recording.misuse == ["completion-dropped"])
  }

  @Test func `a circle is refused before anything starts`() throws {
    var graph = Graph()
    let a = graph.add("a", perform: work("a", .ms(5)))
    let b = graph.add("b", after: [a], perform: work("b", .ms(5)))
    let c = graph.add(after: [b], perform: work("c", .ms(5)))
    try graph.validate()
    graph.addDependency(of: a, on: c)
    let error = try #require(throws: OperationCycle.self) { try graph.validate() }
    #expect(error.labels == ["a", "operation 3", "b", "a"])
    let results = run(graph, ())
    #expect(throws: error) { try results[0].get() }
    #expect(log.entries.isEmpty)
  }

  @Test func `without operations there are no values`() throws {
    #expect(try run(Graph(), ())[0].get() == [])
  }

  @Test(arguments: placements, [1, .max])
  func `a hundred thousand that end at once need no stack`(
    _ placement: Placement, _ width: Int
  ) throws {
    var functions = OperationGraph<Int, Int>()
    var callbacks = OperationGraph<Int, Int>()
    var side = OperationGraph<Int, Int>()
    var last: [OperationGraph<Int, Int>.Node] = []
    for number in 0..<100_000 {
      let node = functions.add(after: last) { $0 + number }
      callbacks.add(after: last) { input, done in done(.success(input + number)) }
      side.add { $0 + number }
      last = [node]
    }
    for graph in [functions, callbacks, side] {
      let values = try run(graph, 7, width: width, on: placement)[0].get()
      #expect(values == Array(7..<100_007))
    }
  }

  @Test func `values that are not delivered are let go of`() throws {
    final class Held: Sendable {}
    let kept = Locked<[() -> Held?]>([])
    var graph = OperationGraph<Void, Held>()
    let a = graph.add {
      let held = Held()
      kept.withLock { [weak held] in $0.append { held } }
      return held
    }
    graph.add(after: [a]) { () throws -> Held in throw StepFailure("no such page") }
    #expect(throws: StepFailure.self) { try run(graph, ())[0].get() }
    #expect(kept.withLock { $0.map { $0() == nil } } == [true])
  }
}
