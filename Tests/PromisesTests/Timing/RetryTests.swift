import AsyncSimulation
import PatternTesting
import Promises
import Testing

/// Work that is started again when it fails.
@Suite struct RetryTests {
  private struct Busy: Error {}

  /// The start times of the attempts of work that always fails, in milliseconds.
  private func starts(
    _ count: Int, _ backoff: Backoff, seed: UInt64? = nil
  ) throws -> [Int64] {
    let runtime = SimulatedRuntime()
    let starts = Locked<[Int64]>([])
    let promise = Promise<Int, any Error>.retry(
      count, backoff: backoff, using: seed.map(Generator.init), on: .inline, runtime: runtime
    ) { number in
      starts.withLock { $0.append(runtime.now.nanoseconds / 1_000_000) }
      #expect(starts.withLock { $0.count } == number)
      throw Busy()
    }
    runtime.runUntilIdle()
    #expect(throws: Busy.self) { try promise.current?.get() }
    try runtime.finish()
    return starts.withLock { $0 }
  }

  private struct Generator: RandomNumberGenerator, Sendable {
    var state: UInt64
    init(_ seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state
    }
  }

  @Test(
    arguments: [
      (0, Backoff(), [0]), (1, Backoff(), [0]), (3, Backoff(), [0, 0, 0]),
      (3, .constant(.ms(10)), [0, 10, 20]),
      (5, .exponential(.ms(10), limit: .ms(50), jitter: .none), [0, 10, 30, 70, 120]),
      (4, Backoff(.ms(10), factor: 0.5), [0, 10, 20, 30]),
      (4, Backoff(.ms(10), factor: .nan), [0, 10, 20, 30]),
      (3, Backoff(.ms(10), factor: .infinity, limit: .ms(40)), [0, 10, 50]),
      (2, .constant(.ms(-10)), [0, 0]),
    ] as [(Int, Backoff, [Int64])])
  func `the number of starts is limited, and backoff sets the pauses`(
    _ count: Int, _ backoff: Backoff, _ expected: [Int64]
  ) throws {
    #expect(try starts(count, backoff) == expected)
  }

  @Test(arguments: [Backoff.Jitter.half, .full])
  func `jitter is drawn from the generator, within its bounds`(_ jitter: Backoff.Jitter) throws {
    let backoff = Backoff.constant(.ms(1000), jitter: jitter)
    let first = try starts(20, backoff, seed: 1)
    #expect(try first == starts(20, backoff, seed: 1))
    #expect(try first != starts(20, backoff, seed: 2))
    #expect(try starts(20, backoff) == starts(20, backoff))
    let waits = zip(first.dropFirst(), first).map { $0 - $1 }
    #expect(waits.allSatisfy { $0 <= 1000 && $0 >= (jitter == .half ? 499 : 0) })
    #expect(Set(waits).count > 10)
  }

  @Test func `a success ends the attempts`() throws {
    let promise = Promise<Int, any Error>.retry(5, on: .inline) { number in
      number < 3 ? .rejected(Busy()) : .fulfilled(number)
    }
    #expect(promise.fulfilled == 3)
  }

  @Test func `a cancellation or an error that is not worth a retry ends the attempts`() {
    for error in [StepFailure("no") as any Error, CancellationError()] {
      let log = Log()
      let promise = Promise<Int, any Error>.retry(
        5, on: .inline, while: { !($0 is StepFailure) },
        { _ in
          log.append("start")
          return .rejected(error)
        })
      #expect(throws: (any Error).self) { try promise.current?.get() }
      #expect(log.entries == ["start"])
    }
  }

  @Test(arguments: [5, 15])
  func `cancelling ends an attempt and a delay immediately`(_ time: Int) throws {
    let runtime = SimulatedRuntime()
    let log = Log()
    let promise = Promise<Int, any Error>.retry(
      5, backoff: .constant(.ms(10)), on: .inline, runtime: runtime
    ) { _ in
      log.append("start")
      return Promise<Void, any Error>.after(.ms(10), whenUnused: .cancel)
        .map { throw Busy() }
    }
    runtime.pool.schedule(after: .ms(time)) { promise.cancel() }
    runtime.runUntilIdle()
    #expect(promise.isCancelled)
    #expect(log.entries == ["start"])
    #expect(runtime.now.nanoseconds == Int64(time) * 1_000_000)
    try runtime.finish()
  }

  @Test(.unlessThreadSanitized) func `a hundred thousand attempts need no stack`() {
    let promise = Promise<Int, any Error>.retry(100_000, on: .inline) { number in
      number < 100_000 ? .rejected(Busy()) : .fulfilled(number)
    }
    #expect(promise.fulfilled == 100_000)
  }
}
