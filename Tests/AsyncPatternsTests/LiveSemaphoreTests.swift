import AsyncPatterns
import Testing

@Suite struct LiveSemaphoreTests {
  @Test func whoSignalsWakesWhoWaits() async throws {
    let held = Locked<Completion?>(nil)
    let sink = BlockedSink {
      // On another thread, since a sink must not call back.
      LiveRuntime.shared.pool.schedule { held.withLock { $0 }?(.success(.none)) }
    }
    let runtime = LiveRuntime(workers: 2).tracing(to: sink)
    let step = Step("whole") { _, scope, completion in
      let semaphore = scope.runtime.semaphore(0)
      scope.start(Step("a") { _, _, completion in held.withLock { $0 = completion } }) { _ in
        semaphore.signal()
      }
      semaphore.wait()
      scope.start(
        Step("b") { _, _, completion in completion(.success(.none)) }, completion: completion)
    }
    await withCheckedContinuation { continuation in
      Run(step, on: runtime) { _ in continuation.resume() }
    }
    held.withLock { $0 = nil }
    let edges = sink.events.filter { $0.edge == .woke }
    #expect(edges.map(\.other) == [Span(id: 2), Span(id: 2)])
    #expect(edges.map(\.span) == [Span(id: 1), Span(id: 3)], "and so b could start")
    let unblocked = try #require(sink.events.first { $0.kind == .unblocked })
    #expect(edges.first?.lane == unblocked.lane)
  }

  @Test func whoTakesAPermitThatIsThereTellsWhoGaveIt() async {
    let sink = BlockedSink {}
    let step = Step("whole") { _, scope, completion in
      let semaphore = scope.runtime.semaphore(1)
      scope.start(Step("a") { _, _, completion in completion(.success(.none)) }) { _ in
        semaphore.signal()
      }
      // The first it began with.
      for _ in 1...2 { semaphore.wait() }
      scope.start(
        Step("b") { _, _, completion in completion(.success(.none)) }, completion: completion)
    }
    await withCheckedContinuation { continuation in
      Run(step, on: LiveRuntime(workers: 2).tracing(to: sink)) { _ in continuation.resume() }
    }
    let edges = sink.events.filter { $0.edge == .woke }
    #expect(edges.map(\.other) == [Span(id: 2)])
    #expect(edges.map(\.span) == [Span(id: 1)])
    #expect(sink.events.allSatisfy { $0.kind != .blocked })
    let permits = sink.events.filter { $0.edge == .permitFrom }
    #expect(permits.map(\.other) == [Span(id: 2)])
    #expect(permits.map(\.span) == [Span(id: 3)], "b, which it started then")
  }

  @Test func permitsThatNobodyWaitedForWakeNobody() async {
    let sink = BlockedSink {}
    let runtime = LiveRuntime(workers: 2).tracing(to: sink)
    let step = Step("whole") { _, scope, completion in
      let semaphore = scope.runtime.semaphore(1)
      semaphore.signal()
      for _ in 1...2 { semaphore.wait() }
      completion(.success(.none))
    }
    await withCheckedContinuation { continuation in
      Run(step, on: runtime) { _ in continuation.resume() }
    }
    #expect(sink.events.allSatisfy { $0.kind != .edge && $0.kind != .blocked })
  }
}

/// Keeps events, and does something when a thread is about to stand parked.
private final class BlockedSink: TraceSink {
  private let recorded = Locked<[TraceEvent]>([])
  private let onBlocked: @Sendable () -> Void

  init(onBlocked: @escaping @Sendable () -> Void) { self.onBlocked = onBlocked }

  var events: [TraceEvent] { recorded.withLock { $0 } }

  func record(_ event: TraceEvent) {
    recorded.withLock { $0.append(event) }
    if event.kind == .blocked { onBlocked() }
  }
}
