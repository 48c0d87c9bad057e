import AsyncPatterns
import Testing

@Suite struct LiveSemaphoreTests {
  @Test func `a signal wakes the waiting thread`() async throws {
    let held = Locked<Completion?>(nil)
    let sink = BlockedSink {
      // A sink must not call back into the runtime, so this runs on another thread.
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
    let woken = sink.events.filter { $0.cause == Cause(.wakeUp, Span(id: 2)) }
    #expect(woken.map(\.kind) == [.unblocked, .started])
    #expect(woken.map(\.span) == [Span(id: 1), Span(id: 3)], "so b could start")
    let blocked = try #require(sink.events.first { $0.kind == .blocked })
    #expect(woken.map(\.lane) == [blocked.lane, blocked.lane])
  }

  @Test func `an available permit is the cause of the next start`() async {
    let sink = BlockedSink {}
    let step = Step("whole") { _, scope, completion in
      let semaphore = scope.runtime.semaphore(1)
      scope.start(Step("a") { _, _, completion in completion(.success(.none)) }) { _ in
        semaphore.signal()
      }
      // The semaphore had one permit at the start, so the first wait takes it.
      for _ in 1...2 { semaphore.wait() }
      scope.start(
        Step("b") { _, _, completion in completion(.success(.none)) }, completion: completion)
    }
    await withCheckedContinuation { continuation in
      Run(step, on: LiveRuntime(workers: 2).tracing(to: sink)) { _ in continuation.resume() }
    }
    #expect(sink.events.allSatisfy { $0.kind != .blocked && $0.cause.kind != .wakeUp })
    let permits = sink.events.filter { $0.cause.kind == .permit }
    #expect(permits.map(\.cause) == [Cause(.permit, Span(id: 2))])
    #expect(permits.map(\.kind) == [.started])
    #expect(permits.map(\.span) == [Span(id: 3)], "b, which the permit started")
  }

  @Test func `permits that no thread waited for wake none`() async {
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
    #expect(sink.events.allSatisfy { $0.kind != .blocked })
    #expect(sink.events.allSatisfy { $0.cause.kind != .wakeUp && $0.cause.kind != .permit })
  }
}

/// Stores events, and calls a closure when a thread is about to block.
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
