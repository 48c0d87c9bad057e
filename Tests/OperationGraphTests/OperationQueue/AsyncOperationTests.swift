import AsyncSimulation
import OperationGraph
import PatternTesting
import Testing

/// Tests operations and their queue on the virtual clock.
@Suite struct AsyncOperationTests {
  private let recording = Recording()
  private let runtime: SimulatedRuntime
  private let log = Log()

  init() { runtime = SimulatedRuntime(trace: recording) }

  private func queue(_ width: Int = .max) -> AsyncOperationQueue {
    AsyncOperationQueue("work", maxConcurrentOperationCount: width, runtime: runtime)
  }

  /// An operation of the given duration. The log shows its start and end with the times.
  private func operation(
    _ name: String, _ milliseconds: Int = 10, priority: Priority = .normal
  ) -> AsyncOperation {
    let (log, runtime) = (log, runtime)
    let operation = AsyncOperation.withCompletion(name, priority: priority) { done in
      log.append("\(name) starts @\(runtime.now.nanoseconds / 1_000_000)")
      let timer = runtime.pool.schedule(after: .ms(milliseconds)) { done() }
      done.onCancel {
        timer.cancel()
        done(.failure(CancellationError()))
      }
    }
    operation.onCompletion { outcome in
      log.append("\(name) \(outcome.text) @\(runtime.now.nanoseconds / 1_000_000)")
    }
    return operation
  }

  private func order(_ kind: String) -> [String] {
    log.entries.filter { $0.contains(kind) }.map { String($0.prefix { $0 != " " }) }
  }

  @Test func `an operation goes through its states once`() throws {
    let a = operation("a")
    #expect(a.isReady && !a.isExecuting && !a.isFinished && !a.isCancelled)
    let queue = queue()
    try queue.addOperation(a)
    #expect(queue.operationCount == 1)
    #expect(queue.operations.map(\.name) == ["a"])
    runtime.advance(by: .ms(5))
    #expect(!a.isReady && a.isExecuting && !a.isFinished)
    runtime.runUntilIdle()
    #expect(!a.isReady && !a.isExecuting && a.isFinished)
    #expect(a.outcome?.text == "succeeded")
    #expect(queue.operationCount == 0)
    #expect(throws: AsyncOperationError.alreadyEnqueued("a")) { try queue.addOperation(a) }
    a.cancel()
    #expect(!a.isCancelled)
    try runtime.finish()
  }

  @Test func `each starts when its dependencies have ended, in any number of queues`() throws {
    let (a, b, c) = (operation("a", 10), operation("b", 20), operation("c", 5))
    try c.addDependency(a)
    try c.addDependency(b)
    try c.addDependency(b)
    #expect(c.dependencies.map(\.name) == ["a", "b"])
    let (one, other) = (queue(), queue())
    try one.addOperations([c, a])
    runtime.runUntilIdle()
    #expect(log.entries == ["a starts @0", "a succeeded @10"])
    #expect(!c.isReady)
    try other.addOperation(b)
    runtime.runUntilIdle()
    #expect(log.entries.suffix(3) == ["b succeeded @30", "c starts @30", "c succeeded @35"])
    #expect(c.dependencies.isEmpty)
  }

  @Test func `the width limits executing operations and may change`() throws {
    let queue = queue(2)
    try queue.addOperations((1...5).map { operation("\($0)") })
    runtime.advance(by: .ms(1))
    #expect(order("starts") == ["1", "2"])
    queue.maxConcurrentOperationCount = 3
    runtime.advance(by: .ms(1))
    #expect(order("starts") == ["1", "2", "3"])
    queue.maxConcurrentOperationCount = 0
    #expect(queue.maxConcurrentOperationCount == 1)
    runtime.runUntilIdle()
    #expect(log.entries.last == "5 succeeded @31")
  }

  @Test func `of the ready operations the one with the highest priority starts first`() throws {
    let queue = queue(1)
    try queue.addOperations([
      operation("low", priority: .low),
      operation("high 1".replacing(" ", with: "-"), priority: .high),
      operation("medium"), operation("high-2", priority: .high),
    ])
    runtime.runUntilIdle()
    // The first operation was ready before any other was in the queue.
    #expect(order("starts") == ["low", "high-1", "high-2", "medium"])
  }

  @Test func `any whole number is a priority`() throws {
    let (queue, log) = (queue(1), log)
    queue.isSuspended = true
    for priority in [Priority.low, 7, -1_000, .high, 8] {
      try queue.addOperation(
        AsyncOperation(priority: priority) { () -> Void in log.append("\(priority.rawValue)") })
    }
    queue.isSuspended = false
    runtime.runUntilIdle()
    #expect(log.entries == ["100", "8", "7", "-100", "-1000"])
  }

  @Test func `a ready operation that is cancelled takes no place`() throws {
    let queue = queue(1)
    let (a, b, c) = (operation("a"), operation("b", priority: .high), operation("c"))
    try queue.addOperations([a, b, c])
    b.cancel()
    #expect(b.outcome?.text == "cancelled" && queue.operationCount == 2)
    runtime.runUntilIdle()
    #expect(log.entries.suffix(2) == ["c starts @10", "c succeeded @20"])
  }

  @Test func `a suspended queue starts nothing, and continues when it is resumed`() throws {
    let queue = queue()
    queue.isSuspended = true
    try queue.addOperations([operation("a"), operation("b")])
    runtime.runUntilIdle()
    #expect(log.entries.isEmpty)
    queue.isSuspended = false
    runtime.runUntilIdle()
    #expect(order("succeeded") == ["a", "b"])
  }

  @Test func `dependents of a failure are skipped, unless they require only the end`() throws {
    let failing = AsyncOperation("failing") { () throws in throw StepFailure("no such page") }
    let (next, last, cleanUp) = (operation("next"), operation("last"), operation("cleanUp"))
    try next.addDependency(failing)
    try last.addDependency(next)
    try cleanUp.addDependency(failing, requires: .end)
    try queue().addOperations([failing, next, last, cleanUp])
    runtime.runUntilIdle()
    #expect(failing.outcome?.text == "failed: no such page")
    #expect(next.outcome?.text == "skipped" && next.skipCause == "failing")
    #expect(last.outcome?.text == "skipped" && last.skipCause == "next")
    #expect(cleanUp.skipCause == nil)
    #expect(cleanUp.outcome?.text == "succeeded")
  }

  @Test func `a running operation that is cancelled is notified and decides its result`() throws {
    let heeding = operation("heeding", 100)
    let stubborn = AsyncOperation.withCompletion("stubborn") { done in
      self.runtime.pool.schedule(after: .ms(20)) { done() }
    }
    let task = AsyncOperation("task") { try await self.runtime.clock.sleep(for: .seconds(1)) }
    let queue = queue()
    try queue.addOperations([heeding, stubborn, task])
    runtime.advance(by: .ms(5))
    queue.cancelAllOperations()
    runtime.runUntilIdle()
    #expect(heeding.outcome?.text == "cancelled")
    #expect(stubborn.outcome?.text == "succeeded")
    #expect(stubborn.isCancelled)
    #expect(task.outcome?.text == "cancelled")
    #expect(runtime.now.nanoseconds == 20_000_000)
  }

  @Test func `functions, tasks and completion handlers are operations`() async throws {
    let queue = queue()
    let (log, runtime) = (log, runtime)
    queue.addOperation("function") { () -> Void in log.append("function") }
    queue.addOperation("task") {
      try await runtime.clock.sleep(for: .ms(5))
      log.append("task")
    }
    queue.addOperationWithCompletion("handler") { done in
      runtime.pool.schedule(after: .ms(9)) {
        log.append("handler")
        done()
      }
    }
    let waiting = runtime.task { try await queue.waitUntilFinished() }
    runtime.runUntilIdle()
    try await waiting.value
    #expect(log.entries == ["function", "task", "handler"])
  }

  @Test func `a done that is called twice or dropped is reported, and nothing hangs`() throws {
    let twice = AsyncOperation.withCompletion("twice") { done in
      done()
      done(.failure(StepFailure("too late")))
    }
    let dropped = AsyncOperation.withCompletion("dropped") { _ in }
    try queue().addOperations([twice, dropped])
    runtime.runUntilIdle()
    #expect(recording.misuse == ["completed-twice", "completion-dropped"])
    #expect(twice.outcome?.text == "succeeded")
    #expect(dropped.outcome?.text.contains("without calling it") == true)
  }

  @Test func `an operation can be started manually when it is ready, and not before`() throws {
    let (a, b) = (operation("a"), operation("b"))
    try b.addDependency(a)
    #expect(throws: AsyncOperationError.notReady("b", waitsFor: ["a"])) {
      try b.start(runtime: runtime)
    }
    try a.start(runtime: runtime)
    #expect(a.isExecuting)
    #expect(throws: AsyncOperationError.alreadyEnqueued("a")) { try a.start(runtime: runtime) }
    runtime.runUntilIdle()
    try b.start(runtime: runtime)
    runtime.runUntilIdle()
    #expect(b.isFinished)
  }

  @Test func `a started operation accepts no new dependency`() throws {
    let (a, b) = (operation("a"), operation("b"))
    try a.start(runtime: runtime)
    let error = #expect(throws: LateDependency.self) { try a.addDependency(b) }
    #expect(error?.successor == "a" && error?.predecessor == "b")
    #expect(a.dependencies.isEmpty)
  }

  @Test func `a ready operation that has not started accepts a new dependency`() throws {
    let (queue, a, b) = (queue(1), operation("a"), operation("b"))
    let first = operation("first")
    try queue.addOperations([first, a])
    try a.addDependency(b)
    runtime.runUntilIdle()
    #expect(order("starts") == ["first"])
    try queue.addOperation(b)
    runtime.runUntilIdle()
    #expect(order("starts") == ["first", "b", "a"])
  }

  @Test func `a barrier runs after earlier operations, however they ended, and before later ones`()
    throws
  {
    let queue = queue()
    let (a, b) = (operation("a", 30), operation("b", 10))
    let barrier = operation("barrier", 5)
    let failing = AsyncOperation("failing") { () throws in throw StepFailure("no") }
    try queue.addOperations([a, b, failing])
    try queue.addBarrier(barrier)
    let second = operation("second", 5)
    try queue.addBarrier(second)
    try queue.addOperation(operation("c"))
    runtime.runUntilIdle()
    #expect(
      log.entries.filter { $0.contains("starts") } == [
        "a starts @0", "b starts @0", "barrier starts @30", "second starts @35", "c starts @40",
      ])
  }

  @Test func `a barrier that another operation in the queue waits for is refused`()
    throws
  {
    let queue = queue()
    queue.isSuspended = true
    let (a, barrier) = (operation("a"), operation("barrier"))
    let first = operation("first")
    try a.addDependency(barrier)
    try queue.addBarrier(first)
    try queue.addOperation(a)
    let error = #expect(throws: OperationCycle.self) { try queue.addBarrier(barrier) }
    #expect(error?.labels == ["barrier", "a", "barrier"])
    #expect(queue.operations.map(\.name) == ["first", "a"])
    #expect(barrier.dependencies.isEmpty)
    a.removeDependency(barrier)
    try queue.addOperation(operation("later"))
    queue.isSuspended = false
    runtime.runUntilIdle()
    #expect(order("starts") == ["first", "a", "later"])
  }

  @Test func `a refused barrier keeps the dependencies that it had`() throws {
    let queue = queue()
    queue.isSuspended = true
    let (a, b, barrier) = (operation("a"), operation("b"), operation("barrier"))
    try barrier.addDependency(a)
    try b.addDependency(barrier)
    try queue.addOperations([a, b])
    #expect(throws: OperationCycle.self) { try queue.addBarrier(barrier) }
    #expect(barrier.dependencies == [a])
  }

  @Test func `if one of several added operations is refused, none is added`() throws {
    let queue = queue()
    let (a, b) = (operation("a"), operation("b"))
    try a.start(runtime: runtime)
    #expect(throws: AsyncOperationError.self) { try queue.addOperations([b, a]) }
    #expect(queue.operationCount == 0)
    try queue.addOperation(b)
    runtime.runUntilIdle()
    #expect(order("succeeded") == ["a", "b"])
  }

  @Test(.unlessThreadSanitized) func `a chain of a hundred thousand operations needs no stack`()
    throws
  {
    let queue = AsyncOperationQueue(on: .inline, runtime: runtime)
    let count = Locked(0)
    var all: [AsyncOperation] = []
    for number in 0..<100_000 {
      let operation = AsyncOperation("\(number)") { () -> Void in count.withLock { $0 += 1 } }
      if let last = all.last { try operation.addDependency(last) }
      all.append(operation)
    }
    try queue.addOperations(all)
    #expect(count.withLock { $0 } == 100_000)
    // Releasing a chain of operations that never run needs no stack either.
    var last: AsyncOperation?
    for number in 0..<100_000 {
      let operation = AsyncOperation("\(number)") { () -> Void in }
      if let last { try operation.addDependency(last) }
      last = operation
    }
    last = nil
  }

  @Test func `a waiter gets the outcome, and stops waiting if it is cancelled`() async throws {
    let (a, runtime) = (operation("a", 50), runtime)
    try queue().addOperation(a)
    let waiting = runtime.task { try await a.waitUntilFinished().text }
    let cancelled = runtime.task { try await a.waitUntilFinished() }
    runtime.pool.schedule(after: .ms(5)) { cancelled.cancel() }
    runtime.runUntilIdle()
    #expect(try await waiting.value == "succeeded")
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(a.outcome?.text == "succeeded")
  }
}

extension AsyncOperation.Outcome {
  var text: String {
    switch self {
    case .success: "succeeded"
    case .failure(let error): "failed: \(error)"
    case .cancelled: "cancelled"
    case .skipped: "skipped"
    }
  }
}
