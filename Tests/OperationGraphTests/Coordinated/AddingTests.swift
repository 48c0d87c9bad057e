import AsyncSimulation
import OperationGraph
import Testing

@Suite struct AddingTests {
  private let stage = Stage()

  @Test(arguments: [Placement.pool, .inline])
  func `an open run accepts operations and ends when it is closed`(_ placement: Placement) throws {
    var graph = OperationGraph()
    let first = graph.addWithCompletion("first", of: String.self, perform: stage.work("first", 10))
    let last = graph.addWithCompletion(
      "last", of: String.self, after: first, perform: stage.work("last", 10))
    let run = try graph.launch(isOpen: true, on: placement, runtime: stage.runtime)
    let added = Locked<OperationGraph.Operation<String>?>(nil)
    stage.at(5) { [stage] in
      let operation = try? run.add { graph in
        let extra = graph.add("extra", first) { "\($0) and extra" }
        let slow = graph.addWithCompletion(
          "slow", of: String.self, after: extra, perform: stage.work("slow", 30))
        graph.addDependency(of: last, on: slow)
        return extra
      }
      added.withLock { $0 = operation }
    }
    stage.at(100) { run.close() }
    stage.runtime.run(until: Instant(nanoseconds: 90_000_000))
    #expect(run.result == nil && run.progress.succeeded == 4)
    stage.finish()
    #expect(
      stage.log.entries == ["first+0", "first-10", "slow+10", "slow-40", "last+40", "last-50"])
    let result = try #require(try run.result?.get())
    let operation = try #require(added.withLock { $0 })
    #expect(try result[operation] == "first and extra")
    #expect(stage.milliseconds == 100)
  }

  @Test func `an operation can repeatedly add to its own run, and values stay`() throws {
    var graph = OperationGraph()
    let total = Locked<[OperationGraph.Operation<Int>]>([])
    let first = graph.add("0") { 0 }
    total.withLock { $0.append(first) }
    @Sendable func extend(_ last: OperationGraph.Operation<Int>, _ number: Int) {
      guard let run = GraphRun.current else { return }
      if number == 400 { return run.close() }
      let next = try? run.add { graph in
        graph.add("\(number)", last) { value in
          defer { extend(total.withLock { $0[number] }, number + 1) }
          return value + 1
        }
      }
      if let next { total.withLock { $0.append(next) } }
    }
    graph.add("begin", first) { _ in extend(first, 1) }
    let run = try graph.launch(isOpen: true, on: .inline, runtime: stage.runtime)
    stage.finish()
    let result = try #require(try run.result?.get())
    let operations = total.withLock { $0 }
    #expect(try operations.map { try result[$0] } == Array(0..<400))
  }

  @Test func `an addition that closes a cycle or comes too late is refused as a whole`() throws {
    var graph = OperationGraph()
    let a = graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 20))
    let b = graph.addWithCompletion("b", of: String.self, after: a, perform: stage.work("b", 10))
    let c = graph.addWithCompletion("c", of: String.self, after: b, perform: stage.work("c", 10))
    let run = try graph.launch(isOpen: true, runtime: stage.runtime)
    stage.at(5) { [stage] in
      let cycle = #expect(throws: OperationCycle.self) {
        try run.add { graph in
          graph.addWithCompletion("lost", of: String.self, perform: stage.work("lost", 1))
          graph.addDependency(of: b, on: c)
        }
      }
      #expect(cycle?.labels == ["b", "c", "b"])
      let late = #expect(throws: LateDependency.self) { try run.addDependency(of: a, on: c) }
      #expect(late?.description.hasPrefix("“a” has started") == true)
      #expect(throws: GraphInputError.self) { try run.add { $0.input(Int.self, named: "new") } }
      #expect(throws: ResourceError.self) { try run.add { $0.add("x", with: .needs("x")) {} } }
      run.close()
      #expect(throws: GraphIsClosed.self) { try run.add { $0.add("later") {} } }
    }
    stage.finish()
    #expect(run.progress.total == 3)
    #expect(run.progress.succeeded == 3)
  }

  @Test func `an operation that waits for a retry has started, and accepts no dependency`() throws {
    var graph = OperationGraph()
    let flaky = graph.addWithCompletion(
      "flaky", of: String.self, with: .retry(2), perform: stage.fail("no", 10))
    let urgent = graph.addWithCompletion(
      "urgent", of: String.self, perform: stage.work("urgent", 20))
    let run = try graph.launch(
      width: 1, onFailure: .continue, isOpen: true, runtime: stage.runtime)
    stage.at(15) {
      #expect("\(run.state(of: flaky))" == "ready")
      #expect(throws: LateDependency.self) {
        try run.add { $0.addDependency(of: flaky, on: $0.add("late") {}) }
      }
      run.close()
    }
    stage.finish()
    #expect("\(run.state(of: urgent))" == "succeeded")
  }

  @Test func `an added operation takes the earlier end of its predecessor into account`() throws {
    var graph = OperationGraph()
    let bad = graph.addWithCompletion("bad", of: String.self, perform: stage.fail("bad", 1))
    let run = try graph.launch(onFailure: .continue, isOpen: true, runtime: stage.runtime)
    stage.at(5) { [stage] in
      let states = try? run.add { graph in
        (
          graph.addWithCompletion(
            "needs", of: String.self, after: bad, perform: stage.work("needs", 1)),
          graph.add(
            "mends", bad.outcome, with: .trigger(.anyFailed)
          ) { "mends \(String(describing: $0.error))" }
        )
      }
      guard let states else { return }
      stage.at(5) {
        #expect("\(run.state(of: states.0))" == "skipped")
        #expect(run.outcome(of: states.1)?.value == "mends Optional(bad)")
        run.close()
      }
    }
    stage.finish()
    #expect(run.result != nil)
  }

  @Test(arguments: [Placement.pool, .inline])
  func `an added operation takes its resources, even if no earlier one needed any`(
    _ placement: Placement
  ) throws {
    let run = try OperationGraph().launch(
      resources: ResourcePool(["disk": 1]), isOpen: true, on: placement, runtime: stage.runtime)
    try run.add { graph in
      for name in ["a", "b"] {
        graph.addWithCompletion(
          name, of: String.self, with: .needs("disk"), perform: stage.work(name, 10))
      }
    }
    run.close()
    stage.finish()
    #expect(stage.log.entries == ["a+0", "a-10", "b+10", "b-20"])
  }

  @Test(arguments: [Placement.pool, .inline])
  func `added operations start in their order, whatever the order of their dependencies`(
    _ placement: Placement
  ) throws {
    var graph = OperationGraph()
    let first = graph.addWithCompletion("first", of: String.self, perform: stage.work("first", 10))
    let short = graph.addWithCompletion("short", of: String.self, perform: stage.work("short", 8))
    let late = graph.addWithCompletion(
      "late", of: String.self, after: short, perform: stage.work("late", 1))
    let run = try graph.launch(isOpen: true, on: placement, runtime: stage.runtime)
    stage.at(5) { [stage] in
      #expect(throws: Never.self) {
        try run.add { graph in
          graph.addWithCompletion(
            "extra", of: String.self, after: first, perform: stage.work("extra", 1))
          graph.addDependency(of: late, on: first)
        }
      }
      run.close()
    }
    stage.finish()
    #expect(
      stage.log.entries.filter { $0.contains("+") }
        == ["first+0", "short+0", "late+10", "extra+10"])
  }

  @Test func `a dependency that has ended moves no operation behind those added with it`() throws {
    var graph = OperationGraph()
    let ended = graph.addWithCompletion("ended", of: String.self, perform: stage.work("ended", 1))
    graph.addWithCompletion("running", of: String.self, perform: stage.work("running", 20))
    let waiting = graph.addWithCompletion(
      "waiting", of: String.self, perform: stage.work("waiting", 1))
    let run = try graph.launch(width: 1, isOpen: true, runtime: stage.runtime)
    stage.at(5) { [stage] in
      #expect(throws: Never.self) {
        try run.add { graph in
          graph.addWithCompletion("new", of: String.self, perform: stage.work("new", 1))
          graph.addDependency(of: waiting, on: ended)
        }
      }
      run.close()
    }
    stage.finish()
    #expect(
      stage.log.entries.filter { $0.contains("+") }
        == ["ended+0", "running+1", "waiting+21", "new+22"])
  }

  @Test func `an open run without references is closed`() throws {
    let ended = Locked(false)
    do {
      var graph = OperationGraph()
      graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 1))
      _ = try graph.launch(isOpen: true, runtime: stage.runtime) { _ in
        ended.withLock { $0 = true }
      }
    }
    stage.finish()
    #expect(ended.withLock { $0 })
  }
}
