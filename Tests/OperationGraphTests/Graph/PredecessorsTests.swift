import AsyncSimulation
import OperationGraph
import PatternTesting
import Testing

/// Predecessors that are given as handles and as arrays, and completion-handler work.
@Suite struct PredecessorsTests {
  let runtime = SimulatedRuntime()
  let log = Log()

  private func run(_ graph: OperationGraph) throws -> GraphResult {
    let results = Locked<[Result<GraphResult, any Error>]>([])
    graph.start(runtime: runtime) { result in results.withLock { $0.append(result) } }
    runtime.runUntilIdle()
    return try #require(results.withLock { $0 }.first).get()
  }

  @Test func `an operation comes after an array of operations that is known at run time`() throws {
    var graph = OperationGraph()
    let pages = (1...3).map { number in
      graph.add { [runtime, log] in
        try await runtime.clock.sleep(for: .milliseconds(number))
        log.append("page \(number)")
        return number
      }
    }
    graph.add("index", after: pages) { [log] in log.append("index") }
    _ = try run(graph)
    #expect(log.entries == ["page 1", "page 2", "page 3", "index"])
  }

  @Test func `handles and arrays of different values are given together`() throws {
    var graph = OperationGraph()
    let number = graph.add("number") { 1 }
    let texts = [graph.add("a") { "a" }, graph.add("b") { "b" }]
    let none: [OperationGraph.Operation<Void>] = []
    let last = graph.add("last", after: number, texts, none) { [log] in log.append("last") }
    let value = graph.add("value", number, after: texts, last) { $0 + 1 }
    #expect(try run(graph)[value] == 2)
    #expect(log.entries == ["last"])
  }

  @Test func `an array holds operations with values of different types`() throws {
    var graph = OperationGraph()
    let number = graph.add("number") { [log] in
      log.append("number")
      return 1
    }
    let text = graph.add("text") { [log] in
      log.append("text")
      return "x"
    }
    let all = [number.predecessor, text.predecessor]
    graph.add("last", after: all) { [log] in log.append("last") }
    _ = try run(graph)
    #expect(log.entries.sorted() == ["last", "number", "text"] && log.entries.last == "last")
  }

  @Test func `several dependencies are added to an operation that exists`() throws {
    var graph = OperationGraph()
    let last = graph.add("last") { [log] in log.append("last") }
    let others = (1...2).map { number in graph.add { [log] in log.append("\(number)") } }
    let value = graph.add("value") { 1 }
    graph.addDependencies(of: last, on: others, value)
    _ = try run(graph)
    #expect(log.entries.count == 3 && log.entries.last == "last")
  }

  @Test func `completion-handler work of several statements needs no annotation`() throws {
    var graph = OperationGraph()
    let first = graph.addWithCompletion("first") { [log] done in
      log.append("first")
      done()
    }
    let number = graph.addWithCompletion("number", of: Int.self, after: first) { done in
      let number = 2
      done(number)
    }
    let text = graph.addWithCompletion("text", number, of: String.self) { number, done in
      let text = "\(number)"
      done(.success(text))
    }
    graph.addWithCompletion("last", text) { [log] text, done in
      log.append(text)
      done()
    }
    #expect(try run(graph)[text] == "2")
    #expect(log.entries == ["first", "2"])
  }

  @Test func `done is passed on as a closure of either shape`() throws {
    @Sendable func end(_ completion: @Sendable () -> Void) { completion() }
    @Sendable func answer<Value>(
      _ value: Value, _ completion: @Sendable (Result<Value, any Error>) -> Void
    ) { completion(.success(value)) }

    var graph = OperationGraph()
    graph.addWithCompletion { done in end(done.closure) }
    graph.addWithCompletion { done in answer((), done.closure) }
    let number = graph.addWithCompletion(of: Int.self) { done in answer(3, done.closure) }
    #expect(try run(graph)[number] == 3)

    let operations = [
      AsyncOperation.withCompletion { done in end(done.closure) },
      AsyncOperation.withCompletion { done in answer((), done.closure) },
      AsyncOperation.withCompletion { done in done(throwing: CancellationError()) },
    ]
    for operation in operations { try operation.start(runtime: runtime) }
    #expect(
      operations.map { $0.outcome?.text } == ["succeeded", "succeeded", "cancelled"])
  }
}
