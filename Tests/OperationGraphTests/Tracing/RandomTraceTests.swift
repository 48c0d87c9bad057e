import AsyncSimulation
import Testing
import TimingTrace

@testable import OperationGraph

/// Compares traces of random runs with the records of the runs themselves.
@Suite struct RandomTraceTests {
  private func graph(seed: UInt64, _ stage: Stage) -> OperationGraph {
    var random = SeededGenerator(seed: seed)
    var graph = OperationGraph()
    var operations: [OperationGraph.Operation<String>] = []
    for index in 0..<Int.random(in: 1...20, using: &random) {
      let before = operations.indices.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }
      let duration = Int.random(in: 0...6, using: &random)
      let operation = graph.addWithCompletion(
        "\(index)", of: String.self, perform: stage.work("\(index)", duration))
      for other in before { graph.addDependency(of: operation, on: operations[other]) }
      operations.append(operation)
    }
    return graph
  }

  @Test func `the trace has the times and the critical path that a run records`() throws {
    for seed: UInt64 in 0..<150 {
      let traced = TracedRun(seed: seed)
      let run = try graph(seed: seed, traced.stage).launch(
        width: Int(seed % 4) + 1, isRecording: true, runtime: traced.runtime)
      traced.stage.finish()
      let (records, steps) = (try #require(run.records), traced.record.steps)
      #expect(steps.map(\.started) == records.map { $0.started?.nanoseconds }, "seed \(seed)")
      #expect(steps.map(\.finished) == records.map { $0.finished?.nanoseconds }, "seed \(seed)")
      let report = try #require(run.report)
      let makespan = report.makespan
      #expect(.nanoseconds(traced.record.makespan) == makespan, "seed \(seed)")
      let analysis = traced.analysis
      let known = analysis.criticalPath.reduce(0) { $0 + $1.time + ($1.handOver?.delay ?? 0) }
      #expect(.nanoseconds(known) == makespan, "seed \(seed): \(traced.path)")
      #expect(analysis.criticalPath.dropFirst().allSatisfy { $0.handOver != nil }, "seed \(seed)")
      #expect(traced.record.lints == [], "seed \(seed)")
    }
  }

  @Test func `the same seed gives the same trace`() {
    func trace() -> [String] {
      let traced = TracedRun(workers: 2, seed: 7)
      graph(seed: 3, traced.stage).start(width: 3, runtime: traced.runtime) { _ in }
      traced.stage.finish()
      return traced.recorder.snapshot().map { "\($0)" }
    }
    #expect(trace() == trace())
  }
}
