import Foundation
import OperationGraph
import Testing

/// A million operations, a thousand rows side by side: they take memory in proportion, and no stack.
@Suite struct MillionTests {
  private static let (rows, count) = (1_000, 1_000_000)

  @Test func `a million operations run either way, and go`() async throws {
    let runtime = LiveRuntime(workers: 2)
    let ended = Locked(0)
    var graph = OperationGraph()
    let step: @Sendable () -> Void = { ended.withLock { $0 += 1 } }
    var row = (0..<Self.rows).map { _ in graph.add(perform: step) }
    for index in Self.rows..<Self.count {
      row[index % Self.rows] = graph.add(after: row[index % Self.rows], perform: step)
    }
    let before = Self.residentBytes
    _ = try await graph.run(runtime: runtime)
    #expect(ended.withLock { $0 } == Self.count)
    let run = try graph.launch(width: 2, runtime: runtime)
    _ = try await run.value
    #expect(ended.withLock { $0 } == 2 * Self.count)
    // With room for what other tests take meanwhile.
    #expect(withExtendedLifetime(run) { Self.residentBytes - before } < 1_000 * Self.count)
  }

  private static var residentBytes: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096
  }
}
