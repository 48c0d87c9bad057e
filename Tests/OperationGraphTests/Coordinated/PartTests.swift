import AsyncSimulation
import OperationGraph
import PatternTesting
import Testing

/// Tests sub-graphs, loops and barriers.
@Suite struct PartTests {
  private let stage = Stage()

  /// `number` → `double` → `text`.
  private struct Doubling {
    var graph = OperationGraph()
    let number: OperationGraph.Operation<Int>
    let double: OperationGraph.Operation<Int>
    let text: OperationGraph.Operation<String>

    init() {
      number = graph.input(Int.self, named: "number")
      double = graph.add("double", number) { $0 * 2 }
      text = graph.addWithCompletion("text", double, of: String.self) { value, done in
        done(.success("\(value)"))
      }
    }
  }

  @Test func `a graph can be part of another twice, fed by operations or by the run`() throws {
    let doubling = Doubling()
    var graph = OperationGraph()
    let three = graph.add("three") { 3 }
    let fed = graph.embed("fed", doubling.graph, doubling.number.feeding(from: three))
    let given = graph.embed("given", doubling.graph)
    let both = graph.add("both", fed[doubling.text], given[doubling.text]) { "\($0) \($1)" }
    var outer = OperationGraph()
    let part = outer.embed("outer", graph)
    let input = part[given[doubling.number]]
    for way in [false, true] {
      let result = Locked<Result<GraphResult, any Error>?>(nil)
      outer.start(
        input.value(20), onFailure: way ? .continue : .stop, runtime: stage.runtime
      ) { ended in result.withLock { $0 = ended } }
      stage.finish()
      #expect(try result.withLock { $0 }?.get()[part[both]] == "6 40")
    }
  }

  @Test func `an input of a graph provides the value of an input of its part`() throws {
    let doubling = Doubling()
    var graph = OperationGraph()
    let number = graph.input(Int.self)
    let part = graph.embed("part", doubling.graph, doubling.number.feeding(from: number))
    let run = try graph.launch(number.value(4), runtime: stage.runtime)
    stage.finish()
    #expect(run.outcome(of: part[doubling.text])?.value == "8")
  }

  @Test func `dependencies of a part apply to all of its operations`()
    throws
  {
    var sub = OperationGraph()
    sub.addWithCompletion("x", of: String.self, perform: stage.work("x", 10))
    sub.addWithCompletion("y", of: String.self, perform: stage.work("y", 20))
    var graph = OperationGraph()
    let before = graph.addWithCompletion(
      "before", of: String.self, perform: stage.work("before", 5))
    let part = graph.embed("part", sub)
    graph.addDependency(of: part.begin, on: before)
    graph.addWithCompletion(
      "after", of: String.self, after: part.end, perform: stage.work("after", 5))
    let run = try graph.launch(runtime: stage.runtime)
    stage.finish()
    #expect(
      stage.log.entries == [
        "before+0", "before-5", "x+5", "y+5", "x-15", "y-25", "after+25", "after-30",
      ])
    #expect(run.result != nil)
  }

  @Test func `a part is cancelled as a whole, and is named in errors`() throws {
    var sub = OperationGraph()
    let x = sub.addWithCompletion("x", of: String.self, perform: stage.work("x", 50))
    let y = sub.addWithCompletion("y", of: String.self, after: x, perform: stage.work("y", 50))
    var graph = OperationGraph()
    let part = graph.embed("part", sub)
    graph.addWithCompletion("other", of: String.self, perform: stage.work("other", 10))
    let run = try graph.launch(runtime: stage.runtime)
    stage.at(5) { run.cancel(part) }
    stage.finish()
    #expect(
      run.states([("x", part[x]), ("y", part[y])]) == ["x: cancelled", "y: cancelled"])
    #expect("\(run.state(of: part.end))" == "cancelled")
    #expect(run.progress.succeeded == 2)
    graph.addDependency(of: part[x], on: part[y])
    let cycle = #expect(throws: OperationCycle.self) { try graph.validate() }
    #expect(cycle?.labels == ["part/x", "part/y", "part/x"])
  }

  @Test(arguments: [Placement.pool, .inline])
  func `a loop feeds the result of its body back`(_ placement: Placement) throws {
    let doubling = Doubling()
    var graph = OperationGraph()
    let one = graph.add("one") { 1 }
    let much = graph.loop(
      "grow", from: one, over: doubling.graph, input: doubling.number, output: doubling.double
    ) { $0 < 1_000 }
    let text = graph.add("text", much) { "\($0)" }
    let run = try graph.launch(on: placement, runtime: stage.runtime)
    stage.finish()
    #expect(run.outcome(of: text)?.value == "1024")
  }

  @Test(.unlessThreadSanitized) func `a hundred thousand rounds of a loop need no stack`() throws {
    var body = OperationGraph()
    let number = body.input(Int.self)
    let next = body.add("next", number) { number in number + 1 }
    var graph = OperationGraph()
    let zero = graph.add("zero") { 0 }
    let many = graph.loop("count", from: zero, over: body, input: number, output: next) {
      $0 < 100_000
    }
    let run = try graph.launch(on: .inline, runtime: stage.runtime)
    stage.finish()
    #expect(run.outcome(of: many)?.value == 100_000)
  }

  @Test func `cancelling a loop cancels its body, and a failed body fails the loop`() throws {
    var body = OperationGraph()
    let number = body.input(Int.self)
    let next = body.addWithCompletion("next", number, of: Int.self) {
      [stage] number, done in
      stage.log.append("round \(number)")
      let timer = stage.runtime.pool.schedule(after: .ms(10)) { done(.success(number + 1)) }
      done.onCancel {
        timer.cancel()
        stage.log.append("off at \(stage.milliseconds)")
        done(.failure(CancellationError()))
      }
    }
    var graph = OperationGraph()
    let zero = graph.add("zero") { 0 }
    let endless = graph.loop("endless", from: zero, over: body, input: number, output: next) { _ in
      true
    }
    let run = try graph.launch(runtime: stage.runtime)
    stage.at(25) { run.cancel(endless) }
    stage.finish()
    #expect("\(run.state(of: endless))" == "cancelled")
    #expect(stage.log.entries.last == "off at 25")
  }

  @Test func `operations after a barrier start after all operations before it`() throws {
    var graph = OperationGraph()
    graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 10))
    graph.addWithCompletion("b", of: String.self, perform: stage.work("b", 20))
    graph.barrier()
    graph.addWithCompletion("c", of: String.self, perform: stage.work("c", 10))
    let d = graph.addWithCompletion("d", of: String.self, perform: stage.work("d", 5))
    graph.barrier()
    graph.addWithCompletion("e", of: String.self, after: d, perform: stage.work("e", 10))
    graph.start(runtime: stage.runtime) { _ in }
    stage.finish()
    #expect(
      stage.log.entries.filter { $0.contains("+") } == ["a+0", "b+0", "c+20", "d+20", "e+30"])
  }
}
