import AsyncSimulation
import Promises
import Testing

@Suite struct PromiseLazyTests {
  private let recording: Recording
  private let runtime: SimulatedRuntime
  private let log = Log()

  init() {
    recording = Recording()
    runtime = SimulatedRuntime(trace: recording)
  }

  private func lazy() -> Promise<Int, any Error> {
    .lazy(on: .inline, runtime: runtime) { [log] resolver in
      log.append("begins")
      resolver.fulfill(3)
    }
  }

  @Test func `it starts once, when it gets its first handler`() {
    let promise = lazy()
    #expect(log.entries == [])
    #expect(promise.current == nil)
    promise.whenComplete { [log] _ in log.append("first") }
    promise.whenComplete { [log] _ in log.append("second") }
    #expect(log.entries == ["begins", "first", "second"])
  }

  @Test func `it starts when it is started explicitly or adopted`() {
    #expect(try! lazy().start().current?.get() == 3)
    let (promise, resolver) = Promise<Int, any Error>.withResolvers(runtime: runtime)
    resolver.resolve(with: lazy())
    #expect(try! promise.current?.get() == 3)
    #expect(log.entries == ["begins", "begins"])
  }

  @Test func `a lazy promise without handlers does not start`() {
    _ = lazy()
    lazy().cancel()
    let cancelled = lazy()
    cancelled.cancel()
    cancelled.whenComplete { [log] _ in log.append("notified") }
    runtime.runUntilIdle()
    #expect(log.entries == ["notified"])
    #expect(recording.misuse == [])
  }

  @Test func `an asynchronous promise starts on the pool`() {
    let promise = Promise<Int, any Error>.lazy(on: .inline, runtime: runtime) {
      [log, runtime] in
      log.append("begins")
      try await runtime.clock.sleep(for: .ms(20))
      return 3
    }
    runtime.runUntilIdle()
    #expect(log.entries == [])
    promise.whenComplete { [log] _ in log.append("notified") }
    runtime.runUntilIdle()
    #expect(log.entries == ["begins", "notified"])
    #expect(runtime.now.nanoseconds == 20_000_000)
  }

  @Test func `cancelling an asynchronous promise cancels its task`() {
    let promise = Promise<Int, any Error>(on: .inline, runtime: runtime) { [log, runtime] in
      do {
        try await runtime.clock.sleep(for: .seconds(1))
      } catch {
        log.append("\(error is CancellationError)")
        throw error
      }
      return 3
    }
    runtime.pool.schedule(after: .ms(5)) { promise.cancel() }
    runtime.runUntilIdle()
    #expect(log.entries == ["true"])
    #expect(runtime.now.nanoseconds == 5_000_000)
  }
}
