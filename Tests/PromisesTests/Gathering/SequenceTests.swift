import AsyncSimulation
import PatternTesting
import Promises
import Testing

/// Promises made from the elements of a sequence, a few at the same time.
@Suite struct SequenceTests {
  private let runtime = SimulatedRuntime()

  /// Counts the promises in progress.
  private final class Gauge: Sendable {
    private let counts = Locked((now: 0, most: 0, started: 0))

    func begin() {
      counts.withLock { counts in
        counts.now += 1
        counts.started += 1
        counts.most = max(counts.most, counts.now)
      }
    }
    func end() { counts.withLock { $0.now -= 1 } }
    var most: Int { counts.withLock { $0.most } }
    var started: Int { counts.withLock { $0.started } }
  }

  @Test(arguments: [(-1, 1, 100), (1, 1, 100), (3, 3, 40), (100, 10, 10)])
  func `at most width promises are pending`(_ width: Int, _ most: Int, _ end: Int) throws {
    let (gauge, runtime) = (Gauge(), runtime)
    let lazy = (0..<10).map { number in
      Promise<Int, any Error>.lazy(on: .inline, runtime: runtime) { resolver in
        gauge.begin()
        runtime.pool.schedule(after: .ms(10)) {
          gauge.end()
          resolver.fulfill(number)
        }
      }
    }
    #expect(gauge.started == 0)
    let all = Promise.all(lazy, width: width, on: .inline, runtime: runtime)
    runtime.runUntilIdle()
    #expect(all.fulfilled == Array(0..<10))
    #expect(gauge.most == most)
    #expect(runtime.now.nanoseconds == Int64(end) * 1_000_000)
    try runtime.finish()
  }

  @Test func `map, filter, each and reduce keep the order`() throws {
    let runtime = runtime
    let wait: @Sendable (Int) -> Promise<Int, any Error> = { number in
      Promise<Void, any Error>.after(.ms(10 - number)).map { number }
    }
    withPromiseDefaults(on: .inline, runtime: runtime) {
      let log = Log()
      let mapped = Promise.map(0..<5, width: 3) { number in wait(number).map { $0 * 2 } }
      let filtered = Promise.filter(0..<5, width: 3) { number in
        wait(number).map { $0.isMultiple(of: 2) }
      }
      let each = Promise.each(0..<3) { number in
        wait(number).get { log.append("\($0)") }
      }
      let reduced = Promise.reduce(["a", "b", "c"], "") { text, letter in
        wait(text.count).map { _ in text + letter }
      }
      runtime.runUntilIdle()
      #expect(mapped.fulfilled == [0, 2, 4, 6, 8])
      #expect(filtered.fulfilled == [0, 2, 4])
      #expect(each.current != nil)
      #expect(log.entries == ["0", "1", "2"])
      #expect(reduced.fulfilled == "abc")
    }
    try runtime.finish()
  }

  @Test func `the first failure ends it, and nothing more starts`() throws {
    let (gauge, runtime) = (Gauge(), runtime)
    let mapped = Promise.map(0..<100, width: 2, on: .inline, runtime: runtime) {
      number -> Promise<Int, any Error> in
      gauge.begin()
      return Promise<Void, any Error>.after(.ms(10), whenUnused: .cancel).map { () throws in
        if number == 3 { throw StepFailure("three") }
        return number
      }
    }
    runtime.runUntilIdle()
    #expect(throws: StepFailure("three")) { try mapped.current?.get() }
    #expect(gauge.started <= 5)
    try runtime.finish()
  }

  @Test func `a thrown error fails it`() {
    let mapped = Promise.map(0..<3, width: 1, on: .inline) {
      number throws -> Promise<Int, any Error> in
      if number == 1 { throw StepFailure("one") }
      return .fulfilled(number)
    }
    #expect(throws: StepFailure("one")) { try mapped.current?.get() }
  }

  @Test func `cancelling ends it, even for a nearly endless sequence`() throws {
    let (gauge, runtime) = (Gauge(), runtime)
    let cancellation = Cancellation()
    let each = Promise.each(
      0..<Int.max, width: 2,
      on: .inline, runtime: runtime, cancellation: cancellation
    ) { _ -> Promise<Void, any Error> in
      gauge.begin()
      return .after(.ms(10), whenUnused: .cancel)
    }
    runtime.pool.schedule(after: .ms(35)) { cancellation.cancel() }
    runtime.runUntilIdle()
    #expect(each.isCancelled)
    #expect(gauge.started == 8)
    try runtime.finish()
  }

  @Test(.unlessThreadSanitized) func `a hundred thousand that complete immediately need no stack`()
    throws
  {
    let sum = Promise.reduce(0..<100_000, 0, on: .inline) { sum, number in
      Promise<Int, Never>.fulfilled(sum + number, on: .inline)
    }
    #expect(sum.current == .success(4_999_950_000))
    let all = Promise.map(0..<100_000, width: 4, on: .inline) { number in
      Promise<Int, Never>.fulfilled(number, on: .inline)
    }
    #expect(all.fulfilled?.count == 100_000)
  }
}
