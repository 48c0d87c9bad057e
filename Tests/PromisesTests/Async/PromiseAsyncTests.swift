import Promises
import Testing

/// Awaiting promises on the threads of the machine.
@Suite struct PromiseAsyncTests {
  @Test func `a value can be awaited`() async throws {
    let promise = Promise<Int, any Error> { resolver in
      LiveRuntime.shared.pool.schedule { resolver.fulfill(21) }
    }
    #expect(try await promise.map(on: .pool) { $0 * 2 }.value == 42)
  }

  @Test func `a promise that cannot fail is awaited without try`() async {
    let promise = Promise<Int, Never> { 42 }
    #expect(await promise.value == 42)
  }

  @Test func `awaiting throws an error of the promise's type`() async {
    let promise = Promise<Int, StepFailure> { () async throws(StepFailure) -> Int in
      throw StepFailure("no such page")
    }
    do throws(StepFailure) {
      _ = try await promise.value
      Issue.record("it has a value")
    } catch {
      #expect(error.reason == "no such page")
    }
  }

  @Test func `cancelling the awaiting task ends the wait`() async {
    let (promise, resolver) = Promise<Int, any Error>.withResolvers()
    let waiting = Task { try await promise.value }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    resolver.fulfill(1)
  }

  @Test(arguments: ["never", "abandoned"])
  func `awaiting a promise that is never settled throws`(_ what: String) async {
    let (promise, resolver) = Promise<Int, any Error>.withResolvers(on: .inline)
    let awaited = what == "never" ? Promise<Int, any Error>.never() : promise
    if what == "abandoned" { resolver.abandon() }
    let waiting = Task { try await awaited.value }
    resolver.abandon()
    await #expect(throws: WaitRefused.self) { try await waiting.value }
  }

  @Test(arguments: ["never", "abandoned", "cancelled"])
  func `an endless await that cannot throw is reported`(_ what: String) async {
    let reports = AwaitedReports()
    let runtime = LiveRuntime(workers: 2, trace: reports)
    let (promise, resolver) = Promise<Int, StepFailure>.withResolvers(on: .inline, runtime: runtime)
    let awaited = what == "never" ? Promise<Int, StepFailure>.never(runtime: runtime) : promise
    let task = Task { try await awaited.value }
    if what == "abandoned" { resolver.abandon() }
    if what == "cancelled" { promise.cancel() }
    await reports.wait(for: 1)
    #expect(reports.all.count == 1)
    #expect(
      reports.all.allSatisfy { $0.contains("PromiseAsyncTests") && $0.contains("stays suspended") })
    resolver.abandon()
    task.cancel()
  }

  @Test func `exactly one of many threads settles a promise`() async {
    for _ in 1...200 {
      let (promise, resolver) = Promise<Int, Never>.withResolvers(on: .inline)
      let notified = Locked<[Int]>([])
      promise.whenComplete { result in notified.withLock { $0.append(result.get()) } }
      let winners = await withTaskGroup(of: Int?.self) { group in
        for number in 1...4 {
          group.addTask { resolver.tryResolve(.success(number)) ? number : nil }
        }
        return await group.reduce(into: []) { $0.append($1) }.compactMap(\.self)
      }
      #expect(winners.count == 1)
      #expect(await promise.value == winners.first)
      #expect(notified.withLock { $0 } == winners)
    }
  }
}
