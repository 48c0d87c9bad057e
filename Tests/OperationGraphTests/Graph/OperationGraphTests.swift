import AsyncSimulation
import OperationGraph
import PatternTesting
import Testing

/// Tests the public interface of the graph on the virtual clock.
@Suite struct OperationGraphTests {
  private let recording: Recording
  private let runtime: SimulatedRuntime
  private let log = Log()

  init() {
    recording = Recording()
    runtime = SimulatedRuntime(trace: recording)
  }

  /// Returns work that ends after a time and logs its start and its end.
  private func work(
    _ name: String, _ duration: Duration
  ) -> @Sendable (OperationGraph.Done<String>) -> Void {
    { [log, runtime] done in
      log.append("\(name)+\(runtime.now.nanoseconds / 1_000_000)")
      runtime.pool.schedule(after: duration) {
        log.append("\(name)-\(runtime.now.nanoseconds / 1_000_000)")
        done(.success(name))
      }
    }
  }

  /// Runs a graph until nothing is left to do.
  private func run(
    _ graph: OperationGraph, _ inputs: GraphInput..., width: Int = .max,
    on placement: Placement = .pool, cancellation: Cancellation = Cancellation()
  ) -> [Result<GraphResult, any Error>] {
    let results = Locked<[Result<GraphResult, any Error>]>([])
    graph.start(
      given: inputs, width: width, on: placement, runtime: runtime, cancellation: cancellation
    ) { result in results.withLock { $0.append(result) } }
    runtime.runUntilIdle()
    return results.withLock { $0 }
  }

  static let placements: [Placement] = [.pool, .main, .inline]

  @Test(arguments: placements) func `all three kinds of work share one graph`(
    _ placement: Placement
  ) throws {
    var graph = OperationGraph()
    let clock = SchedulerClock(runtime.pool)
    let a = graph.addWithCompletion("a", of: String.self, perform: work("a", .ms(20)))
    let b = graph.add("b") {
      try await clock.sleep(until: clock.now.advanced(by: .ms(10)))
      return "b"
    }
    let c = graph.add("c", after: a, b) { [log] in
      log.append("c")
      return "c"
    }
    let d = graph.addWithCompletion("d", of: String.self, after: c, perform: work("d", .ms(5)))
    let results = run(graph, on: placement)
    try #require(results.count == 1)
    let result = try results[0].get()
    #expect(try [a, b, c, d].map { try result[$0] } == ["a", "b", "c", "d"])
    #expect(log.entries == ["a+0", "a-20", "c", "d+20", "d-25"])
  }

  @Test(arguments: placements) func `the width limits running operations in FIFO order`(
    _ placement: Placement
  ) throws {
    var graph = OperationGraph()
    for (name, duration) in [("a", 10), ("b", 15), ("c", 10), ("d", 10)] {
      graph.addWithCompletion(of: String.self, perform: work(name, .ms(duration)))
    }
    _ = try run(graph, width: 2, on: placement)[0].get()
    #expect(log.entries == ["a+0", "b+0", "a-10", "c+10", "b-15", "d+15", "c-20", "d-25"])
  }

  @Test(arguments: placements, [1, .max])
  func `operations that become ready together start in the order of adding`(
    _ placement: Placement, _ width: Int
  ) throws {
    var graph = OperationGraph()
    let root = graph.addWithCompletion("root", of: String.self, perform: work("root", .ms(10)))
    let others = ["a", "b", "c"].map {
      graph.addWithCompletion($0, of: String.self, perform: work($0, .ms(10)))
    }
    for other in others.reversed() { graph.addDependency(of: other, on: root) }
    _ = try run(graph, width: width, on: placement)[0].get()
    let starts = log.entries.filter { $0.contains("+") }
    #expect(starts.map { $0.prefix { $0 != "+" } } == ["root", "a", "b", "c"])
  }

  @Test func `work that occupies its worker is distributed over the workers`() throws {
    var graph = OperationGraph()
    let operations = (1...8).map { _ in
      graph.add { [runtime] in
        runtime.work(for: .ms(10))
        return LaneContext.current.lane
      }
    }
    let result = try run(graph)[0].get()
    #expect(Set(try operations.map { try result[$0] }).count == 4)
    #expect(runtime.now == Instant(nanoseconds: 20_000_000))
    _ = run(graph, width: 2)
    #expect(runtime.now == Instant(nanoseconds: 60_000_000))
    _ = run(graph, on: .main)
    #expect(runtime.now == Instant(nanoseconds: 140_000_000))
  }

  @Test func `a chain of functions stays on its worker`() throws {
    var graph = OperationGraph()
    var operations = [graph.add { LaneContext.current.lane }]
    for index in 1..<100 {
      operations.append(graph.add(after: operations[index - 1]) { LaneContext.current.lane })
    }
    let result = try run(graph)[0].get()
    #expect(Set(try operations.map { try result[$0] }).count == 1)
  }

  @Test func `one graph can run repeatedly, each time with its own input`() throws {
    var graph = OperationGraph()
    let number = graph.input(Int.self)
    let a = graph.add("a", number) { $0 + 1 }
    let b = graph.add("b", number, after: a) { $0 * 2 }
    func values(
      _ graph: OperationGraph, _ input: Int, _ operations: [OperationGraph.Operation<Int>]
    ) throws -> [Int] {
      let result = try run(graph, number.value(input))[0].get()
      return try operations.map { try result[$0] }
    }
    for input in 1...3 { #expect(try values(graph, input, [a, b]) == [input + 1, input * 2]) }
    var longer = graph
    let c = longer.add("c", number) { -$0 }
    #expect(try values(longer, 5, [a, b, c]) == [6, 10, -5])
    #expect(try values(graph, 5, [a, b]) == [6, 10])
    let d = graph.add("d", number) { $0 * 100 }
    #expect(try values(graph, 5, [a, b, d]) == [6, 10, 500])
    #expect(try values(longer, 5, [a, b, c]) == [6, 10, -5])
  }

  @Test(arguments: placements) func `a failure ends the run when running operations have ended`(
    _ placement: Placement
  ) throws {
    var graph = OperationGraph()
    let a = graph.addWithCompletion("a", of: String.self, perform: work("a", .ms(20)))
    let b = graph.addWithCompletion("b", of: String.self) { done in
      runtime.pool.schedule(after: .ms(10)) { done(throwing: StepFailure("no such page")) }
    }
    graph.addWithCompletion("c", of: String.self, after: b, perform: work("c", .ms(5)))
    graph.addWithCompletion("d", of: String.self, after: a, perform: work("d", .ms(5)))
    let results = run(graph, on: placement)
    #expect(throws: StepFailure("no such page")) { try results[0].get() }
    #expect(results.count == 1)
    #expect(log.entries == ["a+0", "a-20"])
    #expect(runtime.now == Instant(nanoseconds: 20_000_000))
  }

  @Test(arguments: placements) func `after a function throws nothing more starts`(
    _ placement: Placement
  ) throws {
    var graph = OperationGraph()
    let a = graph.add("a") { () throws -> String in throw StepFailure("no such page") }
    graph.addWithCompletion("b", of: String.self, after: a, perform: work("b", .ms(5)))
    graph.addWithCompletion("c", of: String.self, perform: work("c", .ms(5)))
    let results = run(graph, width: 1, on: placement)
    #expect(throws: StepFailure("no such page")) { try results[0].get() }
    #expect(log.entries.isEmpty)
  }

  @Test(arguments: placements) func `cancelling notifies running operations and starts no more`(
    _ placement: Placement
  ) throws {
    var graph = OperationGraph()
    let clock = SchedulerClock(runtime.pool)
    let a = graph.addWithCompletion("a", of: String.self) { [log] done in
      done.onCancel {
        log.append("a is notified: \(done.isCancelled)")
        done(.success("a"))
      }
    }
    graph.add("b") { [log] in
      do {
        try await clock.sleep(until: clock.now.advanced(by: .ms(100)))
      } catch {
        log.append("b is notified: \(error is CancellationError)")
      }
      return "b"
    }
    graph.addWithCompletion("c", of: String.self, after: a, perform: work("c", .ms(5)))
    let cancellation = Cancellation()
    runtime.pool.schedule(after: .ms(10)) { cancellation.cancel() }
    let results = run(graph, on: placement, cancellation: cancellation)
    #expect(throws: CancellationError.self) { try results[0].get() }
    #expect(log.entries.sorted() == ["a is notified: true", "b is notified: true"])
    #expect(runtime.now == Instant(nanoseconds: 10_000_000))
  }

  @Test(arguments: placements) func `a run that is cancelled before its start starts nothing`(
    _ placement: Placement
  ) throws {
    var graph = OperationGraph()
    graph.addWithCompletion("a", of: String.self, perform: work("a", .ms(5)))
    let cancellation = Cancellation()
    cancellation.cancel()
    let results = run(graph, on: placement, cancellation: cancellation)
    #expect(throws: CancellationError.self) { try results[0].get() }
    #expect(results.count == 1)
    #expect(log.entries.isEmpty)
  }

  @Test func `a run leaves nothing behind in a cancellation that outlives it`() throws {
    var graph = OperationGraph()
    graph.add { "a" }
    graph.add {
      await Task.yield()
      return "b"
    }
    graph.addWithCompletion(of: String.self) { done in done(.success("c")) }
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
      _ = try run(graph, cancellation: cancellation)[0].get()
      graph = OperationGraph()
    }
    #expect(gone == nil)
    cancellation.cancel()
  }

  @Test func `a second call is reported and ignored`() throws {
    var graph = OperationGraph()
    let a = graph.addWithCompletion("a", of: String.self) { done in
      done(.success("a"))
      done(.success("again"))
    }
    let b = graph.addWithCompletion("b", of: String.self, after: a, perform: work("b", .ms(5)))
    let result = try run(graph)[0].get()
    #expect(try [a, b].map { try result[$0] } == ["a", "b"])
    #expect(recording.misuse == ["completed-twice"])
    #expect(log.entries == ["b+0", "b-5"])
  }

  @Test(arguments: ["page", ""]) func `a dropped done is reported and fails its operation`(
    _ label: String
  ) throws {
    var graph = OperationGraph()
    graph.addWithCompletion(of: String.self, perform: work("a", .ms(5)))
    graph.addWithCompletion(label, of: String.self) { _ in }
    let results = run(graph)
    let name = label.isEmpty ? "operation 2" : label
    #expect(throws: CompletionDropped(step: name)) { try results[0].get() }
    #expect(recording.misuse == ["completion-dropped"])
  }

  @Test func `a cycle is refused before anything starts`() throws {
    var graph = OperationGraph()
    let a = graph.addWithCompletion("a", of: String.self, perform: work("a", .ms(5)))
    let b = graph.addWithCompletion("b", of: String.self, after: a, perform: work("b", .ms(5)))
    let c = graph.addWithCompletion(of: String.self, after: b, perform: work("c", .ms(5)))
    try graph.validate()
    graph.addDependency(of: a, on: c)
    let error = try #require(throws: OperationCycle.self) { try graph.validate() }
    #expect(error.labels == ["a", "operation 3", "b", "a"])
    let results = run(graph)
    #expect(throws: error) { try results[0].get() }
    #expect(log.entries.isEmpty)
  }

  @Test func `without operations there is a result immediately`() throws {
    #expect(run(OperationGraph()).count == 1)
    _ = try run(OperationGraph())[0].get()
  }

  @Test(.unlessThreadSanitized, arguments: placements, [1, .max])
  func `many operations that end immediately need no stack`(
    _ placement: Placement, _ width: Int
  ) throws {
    let (functions, callbacks, side) = (Numbers(), Numbers(), Numbers())
    let count = 20_000 * SearchLength.factor
    for number in 0..<count {
      functions.add(after: number - 1) { $0 + number }
      callbacks.addCallback(after: number - 1) { $0 + number }
      side.add(after: nil) { $0 + number }
    }
    for numbers in [functions, callbacks, side] {
      let result = try run(
        numbers.graph, numbers.input.value(7), width: width, on: placement)[0].get()
      let values = try numbers.operations.map { try result[$0] }
      #expect(values == Array(7..<7 + count))
    }
  }

  @Test func `values that are not delivered are released`() throws {
    final class Held: Sendable {}
    let kept = Locked<[() -> Held?]>([])
    var graph = OperationGraph()
    let a = graph.add {
      let held = Held()
      kept.withLock { [weak held] in $0.append { held } }
      return held
    }
    graph.add(after: a) { () throws -> Held in throw StepFailure("no such page") }
    #expect(throws: StepFailure.self) { try run(graph)[0].get() }
    #expect(kept.withLock { $0.map { $0() == nil } } == [true])
  }
}

/// A graph of functions that take one number.
private final class Numbers {
  var graph = OperationGraph()
  let input: OperationGraph.Operation<Int>
  var operations: [OperationGraph.Operation<Int>] = []

  init() { input = graph.input() }

  func add(after before: Int?, _ function: @escaping @Sendable (Int) -> Int) {
    operations.append(graph.add("", input, perform: function))
    addDependency(on: before)
  }

  func addCallback(after before: Int?, _ function: @escaping @Sendable (Int) -> Int) {
    operations.append(
      graph.addWithCompletion("", input, of: Int.self) { input, done in
        done(.success(function(input)))
      })
    addDependency(on: before)
  }

  private func addDependency(on before: Int?) {
    guard let before, before >= 0 else { return }
    graph.addDependency(of: operations[operations.count - 1], on: operations[before])
  }
}
