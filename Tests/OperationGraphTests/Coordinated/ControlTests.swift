import AsyncSimulation
import OperationGraph
import PatternTesting
import Testing

@Suite struct ControlTests {
  private let stage = Stage()

  @Test(arguments: [Placement.pool, .inline, .main])
  func `the width limits running operations, and priorities decide`(_ placement: Placement) throws {
    var graph = OperationGraph()
    graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 10))
    graph.addWithCompletion(
      "low", of: String.self, with: .priority(.low), perform: stage.work("low", 10))
    graph.addWithCompletion("b", of: String.self, perform: stage.work("b", 10))
    graph.addWithCompletion(
      "high", of: String.self, with: .priority(.high), perform: stage.work("high", 10))
    let run = try graph.launch(width: 1, on: placement, runtime: stage.runtime)
    stage.finish()
    #expect(
      stage.log.entries.filter { $0.contains("+") } == ["high+0", "a+10", "b+20", "low+30"])
    #expect(run.progress.succeeded == 4)
  }

  @Test func `completions are called in order, including those added during another`() throws {
    var graph = OperationGraph()
    graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 10))
    let (log, held) = (stage.log, Locked<GraphRun?>(nil))
    let run = try graph.launch(runtime: stage.runtime) { _ in
      let run = held.withLock { $0 }
      run?.onCompletion { _ in log.append("late") }
      log.append("launch's has ended")
    }
    held.withLock { $0 = run }
    run.onCompletion { _ in log.append("second") }
    stage.finish()
    #expect(log.entries.suffix(3) == ["launch's has ended", "second", "late"])
    held.withLock { $0 = nil }
  }

  @Test func `an operation inherits the highest priority of its dependents`() throws {
    var graph = OperationGraph()
    graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 10))
    graph.addWithCompletion("b", of: String.self, perform: stage.work("b", 10))
    let deep = graph.addWithCompletion(
      "deep", of: String.self, with: .priority(.low), perform: stage.work("deep", 10))
    let middle = graph.addWithCompletion(
      "middle", of: String.self, after: deep, perform: stage.work("middle", 10))
    graph.addWithCompletion(
      "urgent", of: String.self, after: middle, with: .priority(.high),
      perform: stage.work("urgent", 10))
    _ = try graph.launch(width: 1, runtime: stage.runtime)
    stage.finish()
    #expect(
      stage.log.entries.filter { $0.contains("+") }
        == ["deep+0", "middle+10", "urgent+20", "a+30", "b+40"])
  }

  @Test func `cancelling an operation cancels its dependents only`() throws {
    var graph = OperationGraph()
    let running = graph.addWithCompletion(
      "running", of: String.self, perform: stage.work("running", 50))
    let waiting = graph.addWithCompletion(
      "waiting", of: String.self, after: running, perform: stage.work("waiting", 1))
    let other = graph.addWithCompletion("other", of: String.self, perform: stage.work("other", 20))
    let later = graph.addWithCompletion(
      "later", of: String.self, after: other, perform: stage.work("later", 10))
    let after = graph.addWithCompletion(
      "after", of: String.self, after: later, perform: stage.work("after", 10))
    let run = try graph.launch(runtime: stage.runtime)
    stage.at(5) {
      run.cancel(running)
      run.cancel(later)
    }
    stage.finish()
    #expect(
      run.states([
        ("running", running), ("waiting", waiting), ("other", other), ("later", later),
        ("after", after),
      ]) == [
        "running: cancelled", "waiting: cancelled", "other: succeeded", "later: cancelled",
        "after: cancelled",
      ])
    #expect(stage.log.entries == ["running+0", "other+0", "running-5", "other-20"])
    let result = try #require(try run.result?.get())
    #expect(try result[other] == "other")
    #expect(throws: OperationWithoutValue.self) { try result[later] }
  }

  @Test func `a running operation that is cancelled decides its own result`() throws {
    var graph = OperationGraph()
    let deaf = graph.addWithCompletion("deaf", of: String.self) { [stage] done in
      stage.at(20) { done(.success(done.isCancelled ? "heard" : "missed")) }
    }
    let after = graph.add("after", deaf) { $0 + " it" }
    let run = try graph.launch(runtime: stage.runtime)
    stage.at(5) { run.cancel(deaf) }
    stage.finish()
    #expect(run.outcome(of: after)?.value == "heard it")
  }

  @Test(arguments: [Placement.pool, .inline])
  func `cancelling a run cancels queued and notifies running work`(_ placement: Placement) throws {
    var graph = OperationGraph()
    let a = graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 50))
    let b = graph.addWithCompletion("b", of: String.self, perform: stage.work("b", 50))
    let c = graph.addWithCompletion(
      "c", of: String.self, after: a, with: .trigger(.allDone), perform: stage.work("c", 50))
    let run = try graph.launch(width: 1, on: placement, runtime: stage.runtime)
    stage.at(5) { run.cancel() }
    stage.finish()
    #expect(stage.log.entries == ["a+0", "a-5"])
    #expect(run.failure is CancellationError)
    #expect(
      run.states([("a", a), ("b", b), ("c", c)])
        == ["a: cancelled", "b: cancelled", "c: cancelled"])
  }

  @Test func `a run that is cancelled after a failure lists only the operations that failed`()
    throws
  {
    var graph = OperationGraph()
    graph.addWithCompletion("bad", of: String.self, perform: stage.fail("bad", 1))
    graph.addWithCompletion("long", of: String.self, perform: stage.work("long", 50))
    let run = try graph.launch(onFailure: .continue, runtime: stage.runtime)
    stage.at(5) { run.cancel() }
    stage.finish()
    #expect((run.failure as? GraphFailures)?.failures.map(\.operation) == ["bad"])
  }

  @Test(arguments: OperationGraph.FailurePolicy.allCases)
  func `an operation that cancels itself stops a run, but hides no failure of one that continues`(
    _ policy: OperationGraph.FailurePolicy
  ) throws {
    var graph = OperationGraph()
    let gone = graph.addWithCompletion("gone", of: String.self) { done in
      done(.failure(CancellationError()))
    }
    graph.addWithCompletion("bad", of: String.self, perform: stage.fail("bad", 1))
    graph.addWithCompletion("worse", of: String.self, perform: stage.fail("worse", 2))
    let run = try graph.launch(width: 1, onFailure: policy, runtime: stage.runtime)
    stage.finish()
    #expect(run.states([("gone", gone)]) == ["gone: cancelled"])
    switch policy {
    case .stop, .cancelAll:
      #expect(run.failure is CancellationError)
      #expect(stage.log.entries == [])
    case .finishIndependent: #expect("\(run.failure!)".contains("bad"))
    case .continue:
      #expect((run.failure as? GraphFailures)?.failures.map(\.operation) == ["bad", "worse"])
    }
  }

  @Test(arguments: OperationGraph.FailurePolicy.allCases)
  func `a run in which an operation cancels itself and none fails ends with a cancellation`(
    _ policy: OperationGraph.FailurePolicy
  ) throws {
    var graph = OperationGraph()
    graph.addWithCompletion("gone", of: String.self) { done in
      done(.failure(CancellationError()))
    }
    graph.addWithCompletion("good", of: String.self, perform: stage.work("good", 1))
    let run = try graph.launch(width: 1, onFailure: policy, runtime: stage.runtime)
    stage.finish()
    #expect(run.failure is CancellationError)
    #expect(stage.log.entries == (policy.startsAfterFailure ? ["good+0", "good-1"] : []))
  }

  @Test func `a run whose operations all end cancelled ends with a cancellation`() throws {
    var graph = OperationGraph()
    let long = graph.addWithCompletion("long", of: String.self, perform: stage.work("long", 50))
    let run = try graph.launch(onFailure: .continue, runtime: stage.runtime)
    stage.at(5) { run.cancel() }
    stage.finish()
    #expect(run.failure is CancellationError)
    #expect(run.states([("long", long)]) == ["long: cancelled"])
  }

  @Test func `a run that was cancelled before its start starts nothing`() throws {
    var graph = OperationGraph()
    graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 50))
    let cancellation = Cancellation()
    cancellation.cancel()
    let run = try graph.launch(runtime: stage.runtime, cancellation: cancellation)
    stage.finish()
    #expect(stage.log.entries == [])
    #expect(run.failure is CancellationError)
  }

  @Test(arguments: [Placement.pool, .inline])
  func `a suspended run starts nothing until it is resumed`(_ placement: Placement) throws {
    var graph = OperationGraph()
    let a = graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 10))
    graph.addWithCompletion("b", of: String.self, after: a, perform: stage.work("b", 10))
    let run = try graph.launch(isSuspended: true, on: placement, runtime: stage.runtime)
    stage.at(5) { run.resume() }
    stage.at(10) { run.suspend() }
    stage.at(30) { run.resume() }
    stage.finish()
    #expect(stage.log.entries == ["a+5", "a-15", "b+30", "b-40"])
    #expect(run.progress.fraction == 1)
  }

  @Test func `cancelling a suspended run ends it`() throws {
    var graph = OperationGraph()
    let a = graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 10))
    let run = try graph.launch(isSuspended: true, runtime: stage.runtime)
    stage.at(5) { run.cancel() }
    stage.finish()
    #expect("\(run.state(of: a))" == "cancelled")
    #expect(run.failure is CancellationError)
  }

  @Test func `a suspended run that loses its last reference resumes`() throws {
    let ended = Locked(false)
    do {
      var graph = OperationGraph()
      graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 10))
      _ = try graph.launch(isSuspended: true, runtime: stage.runtime) { _ in
        ended.withLock { $0 = true }
      }
    }
    stage.finish()
    #expect(ended.withLock { $0 })
  }

  @Test func `a condition is evaluated once the inputs are available`() throws {
    var graph = OperationGraph()
    let number = graph.input(Int.self)
    let even = graph.add(
      "even", number, when: { $0 % 2 == 0 }, perform: { "\($0) is even" })
    let odd = graph.add("odd", number, when: { $0 % 2 != 0 }, perform: { "\($0) is odd" })
    let either = graph.add(
      "either", even.outcome, odd.outcome, with: .trigger(.noneFailed)
    ) { $0.value ?? $1.value ?? "" }
    for (value, text) in [(4, "4 is even"), (7, "7 is odd")] {
      let run = try graph.launch(number.value(value), runtime: stage.runtime)
      stage.finish()
      #expect(run.outcome(of: either)?.value == text)
      #expect(run.progress.skipped == 1)
    }
  }

  @Test(.unlessThreadSanitized)
  func `a hundred thousand operations in chains end in a referenced run`() async throws {
    let ended = Locked(0)
    var graph = OperationGraph()
    let step: @Sendable () -> Void = { ended.withLock { $0 += 1 } }
    for _ in 0..<100 {
      var last = graph.add(perform: step)
      for _ in 1..<1_000 { last = graph.add(after: last, perform: step) }
    }
    let run = try graph.launch(width: 2, runtime: LiveRuntime(workers: 2))
    _ = try await run.value
    #expect(ended.withLock { $0 } == 100_000)
    #expect(run.progress.fraction == 1)
  }
}
