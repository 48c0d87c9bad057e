import AsyncSimulation
import Promises
import Testing

/// Failures on real threads, while several threads listen to, drop and handle them.
@Suite struct ContendedFailureTests {
  private typealias Page = Promise<Int, StepFailure>

  /// Uses one failing promise on several threads and waits until all of them have released it.
  private func contend(
    _ runtime: LiveRuntime, _ uses: [@Sendable (Page) -> Void]
  ) async {
    let (page, resolver) = Page.withResolvers(on: .inline, runtime: runtime)
    await withTaskGroup(of: Void.self) { group in
      for use in uses { group.addTask { use(page) } }
      group.addTask { resolver.reject(StepFailure("no page")) }
    }
  }

  private static let passing: [@Sendable (Page) -> Void] = [
    { $0.map { $0 + 1 }.ensure {}.done { _ in } },
    { page in for _ in 0..<40 { page.ensure {} } },
    { _ = (0..<40).reduce($0) { page, _ in page.map { $0 + 1 } } },
    { _ = Promise.all([$0, $0.map { $0 }]).ignoringFailure() },
    { _ = $0.failureTrail },
  ]

  @Test func `a failure that many threads release is reported once`() async {
    let counter = AwaitedReports()
    let runtime = LiveRuntime(workers: 4, trace: counter)
    let rounds = 300
    // All uses except the gathering, which handles the failures that it gets.
    for _ in 0..<rounds { await contend(runtime, [0, 1, 2, 4].map { Self.passing[$0] }) }
    await counter.wait(for: rounds)
    await drain(runtime)
    #expect(counter.all.count == rounds)
    #expect(
      counter.all.allSatisfy {
        $0.contains("“no page” was not handled: it began in the promise made at")
      })
  }

  @Test func `a failure is not reported if one thread handles it`() async {
    let counter = AwaitedReports()
    let runtime = LiveRuntime(workers: 4, trace: counter)
    let takers: [@Sendable (Page) -> Void] = [
      { $0.catch { _ in } }, { $0.map { $0 }.whenComplete { _ in } }, { $0.ignoringFailure() },
      { _ = $0.recover { _ in 0 } }, { Promise.all([$0]).catch { _ in } },
      { _ = Promise.race([.fulfilled(1, on: .inline, runtime: runtime), $0]) },
    ]
    for round in 0..<300 { await contend(runtime, Self.passing + [takers[round % takers.count]]) }
    await drain(runtime)
    #expect(counter.all == [])
  }

  @Test func `handlers that are removed during the failure make no difference`() async {
    let counter = AwaitedReports()
    let runtime = LiveRuntime(workers: 4, trace: counter)
    for _ in 0..<300 {
      await contend(
        runtime,
        Self.passing + [
          { page in
            for _ in 0..<10 { page.map(on: .pool) { $0 + 1 }.cancel() }
            page.catch { _ in }
          }
        ])
    }
    await drain(runtime)
    #expect(counter.all == [])
  }

  /// Returns when the pool has done its present work: each worker has run a job of this function.
  private func drain(_ runtime: LiveRuntime) async {
    for _ in 0..<20 {
      await withCheckedContinuation { continuation in
        runtime.pool.schedule { continuation.resume() }
      }
    }
  }
}
