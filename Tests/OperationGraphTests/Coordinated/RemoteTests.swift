import AsyncSimulation
import OperationGraph
import Testing

/// Tests graphs that depend on operations of other runs.
@Suite struct RemoteTests {
  private let stage = Stage()

  @Test func `an operation receives a value from another run`() throws {
    var build = OperationGraph()
    let code = build.addWithCompletion("code", of: String.self, perform: stage.work("code", 20))
    let building = try build.launch(runtime: stage.runtime)
    var release = OperationGraph()
    let there = release.wait(for: building.operation(code))
    let shipped = release.add("ship", there) { $0 + " shipped" }
    let releasing = try release.launch(width: 1, runtime: stage.runtime)
    #expect("\(releasing.state(of: there))" == "waiting")
    stage.finish()
    #expect(releasing.outcome(of: shipped)?.value == "code shipped")
    // A graph can also depend on a run that has already ended.
    let late = try release.launch(runtime: stage.runtime)
    stage.finish()
    #expect(late.outcome(of: shipped)?.value == "code shipped")
  }

  @Test func `failures and cancellations also reach the other run`() throws {
    var build = OperationGraph()
    let bad = build.addWithCompletion("bad", of: String.self, perform: stage.fail("bad", 20))
    let off = build.addWithCompletion("off", of: String.self, perform: stage.work("off", 90))
    let building = try build.launch(onFailure: .continue, runtime: stage.runtime)
    stage.at(5) { building.cancel(off) }
    var release = OperationGraph()
    let first = release.wait(for: building.operation(bad))
    let second = release.wait(for: building.operation(off))
    let after = release.add("after", after: second) {}
    let run = try release.launch(onFailure: .finishIndependent, runtime: stage.runtime)
    stage.finish()
    #expect(
      run.states([("first", first), ("second", second)]) == [
        "first: failed: bad", "second: cancelled",
      ])
    #expect("\(run.state(of: after))" == "cancelled")
    #expect(run.failure as? StepFailure == StepFailure("bad"))
  }

  @Test func `runs that wait for each other end, and the error names the cycle`() throws {
    var one = OperationGraph()
    let a = one.addWithCompletion("a", of: String.self, perform: stage.work("a", 10))
    let first = try one.launch(isOpen: true, runtime: stage.runtime)
    var two = OperationGraph()
    let there = two.wait(for: first.operation(a))
    let b = two.add("b", there) { $0 }
    let second = try two.launch(isOpen: true, runtime: stage.runtime)
    // Now an operation of each run waits for an operation of the other one.
    let c = try second.add { graph in graph.add("c", b) { $0 } }
    let d = try first.add { graph in
      let back = graph.wait(for: second.operation(c), named: "c over there")
      return graph.add("d", back) { $0 }
    }
    _ = try second.add { graph in
      let back = graph.wait(for: first.operation(d), named: "d over there")
      graph.addDependency(of: c, on: back)
    }
    stage.at(20) { first.close() }
    stage.at(30) { second.close() }
    stage.finish()
    #expect(stage.milliseconds == 30)
    let deadlock = try #require(second.failure as? GraphDeadlock)
    #expect(first.failure as? GraphDeadlock == deadlock)
    #expect(
      deadlock.description
        == "deadlock: “c” waits for “d over there”; “d over there” waits for “d of another run”; "
        + "“c over there” waits for “c of another run”; “d” waits for “c over there”; "
        + "remove one of these dependencies")
    #expect("\(second.state(of: c))" == "cancelled")
  }

  @Test func `waiting for an ended operation of another run works as usual`() throws {
    var build = OperationGraph()
    let code = build.add("code") { "code" }
    let building = try build.launch(runtime: stage.runtime)
    stage.finish()
    var release = OperationGraph()
    let there = release.wait(for: building.operation(code))
    let other = release.addWithCompletion(
      "other", of: String.self, perform: stage.work("other", 10))
    let both = release.add("both", there, other) { $0 + " and " + $1 }
    let run = try release.launch(runtime: stage.runtime)
    stage.finish()
    #expect(run.failure == nil)
    #expect(run.outcome(of: both)?.value == "code and other")
  }

  @Test func `a run does not retain the run that it has waited for`() throws {
    var graph = OperationGraph()
    let first = graph.add("first") { [object = Label()] in object }
    var run = try graph.launch(on: .inline, runtime: stage.runtime)
    weak let object = run.outcome(of: first)?.value
    graph = OperationGraph()
    let there = graph.wait(for: run.operation(first))
    let name = graph.add("name", there) { $0.name }
    run = try graph.launch(on: .inline, runtime: stage.runtime)
    #expect(run.outcome(of: name)?.value == "label")
    graph = OperationGraph()
    let again = graph.wait(for: run.operation(name))
    run = try graph.launch(on: .inline, runtime: stage.runtime)
    #expect(run.outcome(of: again)?.value == "label")
    #expect(object == nil)
  }

  private final class Label: Sendable { let name = "label" }

  @Test func `a run that waits for a suspended run is not stalled`() throws {
    var build = OperationGraph()
    let code = build.addWithCompletion("code", of: String.self, perform: stage.work("code", 20))
    let building = try build.launch(isSuspended: true, runtime: stage.runtime)
    var release = OperationGraph()
    let there = release.wait(for: building.operation(code))
    let run = try release.launch(runtime: stage.runtime)
    stage.at(50) { building.resume() }
    stage.finish()
    #expect(run.outcome(of: there)?.value == "code")
  }
}
