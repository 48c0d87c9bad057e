import Foundation
import OperationGraph
import Testing

/// Rows of a thousand operations side by side: they take memory in proportion, and no stack.
@Suite struct MillionTests {
  @Test func `a million operations run, and go`() async throws {
    let (graph, ended) = rows(1_000)
    let before = residentBytes
    _ = try await graph.run(runtime: LiveRuntime(workers: 2))
    #expect(ended.withLock { $0 } == 1_000_000)
    // With room for what other tests take meanwhile.
    #expect(residentBytes - before < 1 << 30)
  }

  @Test func `a hundred thousand run for somebody who holds the run`() async throws {
    let (graph, ended) = rows(100)
    let run = try graph.launch(width: 2, runtime: LiveRuntime(workers: 2))
    _ = try await run.value
    #expect(ended.withLock { $0 } == 100_000)
    #expect(run.progress.fraction == 1)
  }

  private func rows(_ count: Int) -> (graph: OperationGraph, ended: Locked<Int>) {
    let ended = Locked(0)
    var graph = OperationGraph()
    let step: @Sendable () -> Void = { ended.withLock { $0 += 1 } }
    for _ in 0..<count {
      var last = graph.add(perform: step)
      for _ in 1..<1_000 { last = graph.add(after: last, perform: step) }
    }
    return (graph, ended)
  }

  private var residentBytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
  }
}
