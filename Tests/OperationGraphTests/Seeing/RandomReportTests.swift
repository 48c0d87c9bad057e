import AsyncSimulation
import OperationGraph
import Testing

/// Tests reports of random runs under random schedules. Operations fail, are cancelled and are retried.
@Suite struct RandomReportTests {
  private func graph(seed: UInt64, _ stage: Stage) -> OperationGraph {
    var random = SeededGenerator(seed: seed)
    var graph = OperationGraph()
    var operations: [OperationGraph.Operation<String>] = []
    for index in 0..<Int.random(in: 1...25, using: &random) {
      let before = operations.indices.filter { _ in Int.random(in: 0..<5, using: &random) == 0 }
      var options: [OperationGraph.Option] = []
      if Int.random(in: 0..<3, using: &random) == 0 {
        options.append(.retry(2, backoff: .constant(.ms(Int.random(in: 0...3, using: &random)))))
      }
      if !before.isEmpty, Int.random(in: 0..<2, using: &random) == 0 {
        options.append(
          .trigger([.allDone, .anySucceeded, .noneFailed][Int.random(in: 0..<3, using: &random)]))
      }
      let duration = Int.random(in: 0...6, using: &random)
      let work =
        Int.random(in: 0..<5, using: &random) == 0
        ? stage.fail("\(index)", duration) : stage.work("\(index)", duration)
      let operation = graph.addWithCompletion(
        "\(index)", of: String.self, with: .all(options), perform: work)
      for other in before { graph.addDependency(of: operation, on: operations[other]) }
      operations.append(operation)
    }
    return graph
  }

  @Test(arguments: OperationGraph.FailurePolicy.allCases)
  func `slack is never negative, and the critical path has no gaps`(
    policy: OperationGraph.FailurePolicy
  ) throws {
    for seed: UInt64 in 0..<150 {
      let stage = Stage(seed: seed)
      let run = try graph(seed: seed, stage).launch(
        width: Int(seed % 5) + 1, onFailure: policy, isRecording: true, runtime: stage.runtime)
      if seed % 3 == 0 { stage.at(Int(seed % 20)) { run.cancel() } }
      stage.finish()
      let report = try #require(run.report)
      for entry in report.entries {
        #expect(entry.finished != nil, "seed \(seed): \(entry)")
        #expect((entry.started == nil) == (entry.slack == nil), "seed \(seed): \(entry)")
        #expect(entry.slack ?? .zero >= .zero, "seed \(seed): \(entry)")
        #expect(entry.finished ?? .zero <= report.makespan, "seed \(seed): \(entry)")
      }
      let path = report.criticalPath.map { report.entries[$0.index] }
      #expect(path.allSatisfy { $0.slack == .zero && $0.isCritical }, "seed \(seed)")
      #expect(path.count == report.entries.count { $0.isCritical })
      for (one, other) in zip(path, path.dropFirst()) {
        let (end, start) = (try #require(one.finished), try #require(other.started))
        #expect(end <= start, "seed \(seed): \(one) \(other)")
      }
      let last = report.entries.filter { $0.started != nil }.compactMap(\.finished).max()
      #expect(last == nil || path.last?.finished == last, "seed \(seed)")
    }
  }
}
