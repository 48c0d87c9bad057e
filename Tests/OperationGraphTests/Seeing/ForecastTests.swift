import AsyncSimulation
import OperationGraph
import PatternTesting
import Testing

@Suite struct ForecastTests {
  /// The example of the Wikipedia article “Program evaluation and review technique”, in hundredths of a day.
  @Test func `a forecast agrees with a textbook example`() throws {
    let day = Duration.milliseconds(100)
    var graph = OperationGraph()
    let a = graph.add("a") {}
    let b = graph.add("b") {}
    let c = graph.add("c", after: a) {}
    let d = graph.add("d", after: a) {}
    let e = graph.add("e", after: b, c) {}
    let f = graph.add("f", after: d) {}
    let g = graph.add("g", after: e) {}
    let forecast = try graph.forecast(
      a.lasting(day * 4), b.lasting(.milliseconds(533)), c.lasting(.milliseconds(517)),
      d.lasting(.milliseconds(633)), e.lasting(.milliseconds(517)), f.lasting(.milliseconds(450)),
      g.lasting(.milliseconds(517)))
    let figures = forecast.entries.map { entry in
      [entry.started, entry.finished, entry.latestStart, entry.latestFinish, entry.slack].map {
        Int(($0 ?? .seconds(-1)).wholeNanoseconds / 1_000_000)
      }
    }
    #expect(
      figures == [
        [0, 400, 0, 400, 0], [0, 533, 384, 917, 384], [400, 917, 400, 917, 0],
        [400, 1033, 868, 1501, 468], [917, 1434, 917, 1434, 0], [1033, 1483, 1501, 1951, 468],
        [1434, 1951, 1434, 1951, 0],
      ])
    #expect(forecast.makespan == .milliseconds(1951))
    #expect(forecast.criticalPath.map(\.name) == ["a", "c", "e", "g"])
  }

  /// R. L. Graham's example of 1969, which takes longer with one more worker.
  @Test func `a larger width can make it longer`() throws {
    var graph = OperationGraph()
    let first = (1...4).map { graph.add("T\($0)") {} }
    let next = (5...8).map { graph.add("T\($0)", after: first[3]) {} }
    let last = graph.add("T9", after: first[0]) {}
    let durations = [3, 2, 2, 2, 4, 4, 4, 4, 9]
    let forecast = { (width: Int) in
      try graph.forecast(width: width) { .seconds(durations[$0.index]) }
    }
    #expect(try forecast(3).makespan == .seconds(12))
    #expect(try forecast(4).makespan == .seconds(15))
    #expect(try forecast(4)[last].started == .seconds(6))
    #expect(try forecast(3)[next[3]].finished == .seconds(12))
  }

  @Test func `the durations measured in one run forecast another one`() throws {
    let stage = Stage()
    var graph = OperationGraph()
    for (name, duration) in [("a", 10), ("b", 20), ("c", 30)] {
      graph.addWithCompletion(name, of: String.self, perform: stage.work(name, duration))
    }
    let run = try graph.launch(width: 1, isRecording: true, runtime: stage.runtime)
    stage.finish()
    let report = try #require(run.report)
    #expect(try graph.forecast(width: 1, durations: report.duration(of:)) == report)
    #expect(try graph.forecast(width: 2, durations: report.duration(of:)).makespan == .ms(40))
    #expect(try graph.forecast(durations: report.duration(of:)).makespan == .ms(30))
  }

  @Test func `a forecast includes priorities, resources, conditions and triggers`() throws {
    var graph = OperationGraph()
    let input = graph.input(Int.self)
    let low = graph.add("low", with: .priority(.low), .needs("db", 2)) {}
    let any = graph.add("any", after: low, with: .needs("db")) {}
    let high = graph.add("high", with: .priority(.high), .needs("db")) {}
    let asked = graph.add("asked", input, after: high, when: { $0 > 0 }, perform: { _ in })
    let soon = graph.add("soon", after: any, high, with: .trigger(.anySucceeded)) {}
    let never = graph.add("never", after: high, with: .trigger(.anyFailed)) {}
    let pool = ResourcePool(["db": 2])
    let forecast = try graph.forecast(resources: pool) { _ in .seconds(1) }
    #expect(forecast[high].started == .zero && forecast[low].started == .seconds(1))
    #expect(forecast[any].started == .seconds(2))
    #expect(forecast[asked].started == .seconds(1) && forecast[soon].started == .seconds(1))
    #expect(forecast[never].started == nil && forecast[never].finished == .seconds(1))
    #expect(forecast.criticalPath.map(\.name) == ["high", "low", "any"])
    #expect(throws: ResourceError.self) { try graph.forecast { _ in .zero } }
    #expect(throws: ResourceError.self) {
      try graph.forecast(resources: ResourcePool(["db": 1])) { _ in .zero }
    }
  }

  @Test func `a forecast uses the given end of an operation of another run`() throws {
    let stage = Stage()
    var other = OperationGraph()
    let source = other.addWithCompletion(
      "source", of: String.self, perform: stage.work("source", 10))
    let run = try other.launch(runtime: stage.runtime)
    var graph = OperationGraph()
    let remote = graph.wait(for: run.operation(source))
    let after = graph.add("after", after: remote) {}
    let forecast = try graph.forecast(
      remote.lasting(.seconds(2)), after.lasting(.seconds(1)), width: 1)
    #expect(forecast.makespan == .seconds(3) && forecast[after].started == .seconds(2))
    #expect(forecast[remote].started == nil && forecast[remote].finished == .seconds(2))
    stage.finish()
  }

  @Test func `a cycle is refused, and a negative duration counts as zero`() throws {
    var graph = OperationGraph()
    let a = graph.add("a") {}
    let b = graph.add("b", after: a) {}
    #expect(
      try graph.forecast(a.lasting(.seconds(-3)), b.lasting(.seconds(1))).makespan == .seconds(1))
    graph.addDependency(of: a, on: b)
    #expect(throws: OperationCycle.self) { try graph.forecast() }
  }

  @Test func `enormous durations are limited to the largest time`() throws {
    var graph = OperationGraph()
    let a = graph.add("a") {}
    let b = graph.add("b", after: a) {}
    let ages = Duration.seconds(Int64.max / 2)
    let forecast = try graph.forecast(a.lasting(ages), b.lasting(ages))
    #expect(forecast.makespan == .nanoseconds(Int64.max) && forecast[b].slack == .zero)
  }

  @Test(.unlessThreadSanitized) func `a forecast can have a hundred thousand operations`() throws {
    var graph = OperationGraph()
    var before = graph.add {}
    for _ in 0..<50_000 {
      let one = graph.add(after: before) {}
      before = graph.add(after: before, one) {}
    }
    #expect(
      try graph.forecast(width: 2) { _ in .milliseconds(1) }.makespan == .milliseconds(100_001))
  }
}
