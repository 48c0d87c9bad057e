import AsyncSimulation
import OperationGraph
import Testing

@Suite struct ResourceTests {
  private let stage = Stage()
  private var starts: [String] { stage.log.entries.filter { $0.contains("+") } }

  @Test(arguments: [Placement.pool, .inline])
  func `at most the allowed number run, and others may pass`(_ placement: Placement) throws {
    var graph = OperationGraph()
    for name in ["a", "b", "c"] {
      graph.addWithCompletion(
        name, of: String.self, with: .needs("database"), perform: stage.work(name, 10))
    }
    graph.addWithCompletion("free", of: String.self, perform: stage.work("free", 10))
    _ = try graph.launch(
      resources: ResourcePool(["database": 2]), on: placement, runtime: stage.runtime)
    stage.finish()
    #expect(starts.sorted() == ["a+0", "b+0", "c+10", "free+0"])
  }

  @Test func `resources are taken together, and no later operation takes them first`() throws {
    var graph = OperationGraph()
    graph.addWithCompletion("x", of: String.self, with: .needs("x"), perform: stage.work("x", 10))
    graph.addWithCompletion(
      "both", of: String.self, with: .needs("x"), .needs("y"), perform: stage.work("both", 10))
    graph.addWithCompletion("y", of: String.self, with: .needs("y"), perform: stage.work("y", 10))
    graph.addWithCompletion("z", of: String.self, with: .needs("z"), perform: stage.work("z", 10))
    _ = try graph.launch(
      resources: ResourcePool(["x": 1, "y": 1, "z": 1]), runtime: stage.runtime)
    stage.finish()
    #expect(starts.sorted() == ["both+10", "x+0", "y+20", "z+0"])
  }

  @Test func `exclusive operations run one at a time, even without a pool`() throws {
    var graph = OperationGraph()
    for name in ["a", "b"] {
      graph.addWithCompletion(
        name, of: String.self, with: .exclusive("screen"), perform: stage.work(name, 10))
    }
    _ = try graph.launch(runtime: stage.runtime)
    stage.finish()
    #expect(starts == ["a+0", "b+10"])
  }

  @Test func `exclusive use takes all permits of a resource`() throws {
    var graph = OperationGraph()
    graph.addWithCompletion(
      "r1", of: String.self, with: .needs("file"), perform: stage.work("r1", 10))
    graph.addWithCompletion(
      "r2", of: String.self, with: .needs("file"), perform: stage.work("r2", 20))
    graph.addWithCompletion(
      "writer", of: String.self, with: .exclusive("file"), perform: stage.work("writer", 10))
    graph.addWithCompletion(
      "r3", of: String.self, with: .needs("file"), perform: stage.work("r3", 10))
    _ = try graph.launch(resources: ResourcePool(["file": 3]), runtime: stage.runtime)
    stage.finish()
    #expect(starts == ["r1+0", "r2+0", "writer+20", "r3+30"])
  }

  @Test func `runs share a pool`() throws {
    let pool = ResourcePool(["licence": 1])
    for run in 1...3 {
      var graph = OperationGraph()
      let first = graph.addWithCompletion(
        "\(run)a", of: String.self, with: .needs("licence"), perform: stage.work("\(run)a", 10))
      graph.addWithCompletion(
        "\(run)b", of: String.self, after: first, with: .needs("licence"),
        perform: stage.work("\(run)b", 10))
      graph.start(resources: pool, runtime: stage.runtime) { _ in }
    }
    stage.finish()
    #expect(starts == ["1a+0", "2a+10", "3a+20", "1b+30", "2b+40", "3b+50"])
  }

  @Test func `a run that can start nothing reserves no resources`() throws {
    let pool = ResourcePool(["x": 1, "y": 1])
    var first = OperationGraph()
    first.addWithCompletion(
      "holds", of: String.self, with: .needs("x"), perform: stage.work("holds", 20))
    first.start(resources: pool, runtime: stage.runtime) { _ in }
    var second = OperationGraph()
    second.addWithCompletion(
      "waits", of: String.self, with: .needs("x"), .needs("y"), perform: stage.work("waits", 10))
    let run = try second.launch(resources: pool, runtime: stage.runtime)
    stage.at(5) { run.suspend() }
    var third = OperationGraph()
    third.addWithCompletion("y", of: String.self, with: .needs("y"), perform: stage.work("y", 10))
    third.start(resources: pool, runtime: stage.runtime) { _ in }
    stage.at(40) { run.resume() }
    stage.finish()
    #expect(starts == ["holds+0", "y+5", "waits+40"])
  }

  @Test func `an operation cancelled while it waits reserves no resources`() throws {
    let pool = ResourcePool(["x": 1, "y": 1])
    var graph = OperationGraph()
    graph.addWithCompletion(
      "holds", of: String.self, with: .needs("x"), perform: stage.work("holds", 20))
    let waits = graph.addWithCompletion(
      "waits", of: String.self, with: .needs("x"), .needs("y"), perform: stage.work("waits", 9))
    graph.addWithCompletion("y", of: String.self, with: .needs("y"), perform: stage.work("y", 10))
    let run = try graph.launch(resources: pool, runtime: stage.runtime)
    stage.at(5) { run.cancel(waits) }
    stage.finish()
    #expect(starts == ["holds+0", "y+5"])
    #expect(run.result != nil)
  }

  @Test func `resources that a failure or a timeout releases can be taken`() throws {
    var graph = OperationGraph()
    graph.addWithCompletion(
      "bad", of: String.self, with: .needs("x"), perform: stage.fail("bad", 5))
    graph.addWithCompletion(
      "slow", of: String.self, with: .needs("x"), .timeout(.ms(5)), perform: stage.work("slow", 50))
    graph.addWithCompletion(
      "good", of: String.self, with: .needs("x"), perform: stage.work("good", 5))
    _ = try graph.launch(
      onFailure: .continue, resources: ResourcePool(["x": 1]), runtime: stage.runtime)
    stage.finish()
    #expect(starts == ["bad+0", "slow+5", "good+10"])
  }

  @Test func `a need that can never be satisfied is refused before anything starts`() throws {
    let pool = ResourcePool(["x": 2, "none": 0])
    for (needs, text) in [
      (
        OperationGraph.Option.needs("x", 3),
        "“big” needs 3 of “x”, but the limit is 2: raise the limit or ask for less"
      ),
      (
        .needs("y"),
        "“big” needs 1 of “y”, but the run's pool has no such resource: give the run a ResourcePool with a limit for it"
      ),
      (
        .needs("none"),
        "“big” needs 1 of “none”, but the limit is 0: raise the limit or ask for less"
      ),
      (
        .exclusive("none"),
        "“big” needs exclusive use of “none”, but the limit is 0: raise the limit or ask for less"
      ),
    ] {
      var graph = OperationGraph()
      graph.addWithCompletion("first", of: String.self, perform: stage.work("first", 1))
      graph.addWithCompletion("big", of: String.self, with: needs, perform: stage.work("big", 1))
      let error = #expect(throws: ResourceError.self) {
        try graph.launch(resources: pool, runtime: stage.runtime)
      }
      #expect(error?.description == text)
    }
    stage.finish()
    #expect(starts == [])
  }
}
