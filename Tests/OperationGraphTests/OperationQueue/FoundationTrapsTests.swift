import Dispatch
import Foundation
import OperationGraph
import Testing

/// Shows each fault of Foundation's operations next to the behaviour of this module.
///
/// The tests of Foundation wait a limited time for an event. If it does not come, they then cancel or release the
/// operations that still wait.
@Suite struct FoundationTrapsTests {

  private static func comes(_ event: DispatchSemaphore, within seconds: Double) -> Bool {
    event.wait(timeout: .now() + seconds) == .success
  }

  private let runtime = SimulatedRuntime()

  private func operation(_ name: String, _ log: Log, takes milliseconds: Int = 0) -> AsyncOperation
  {
    let runtime = runtime
    return AsyncOperation.withCompletion(name) { done in
      log.append(name)
      runtime.pool.schedule(after: .ms(milliseconds)) { done() }
    }
  }

  private func queue(_ width: Int = .max) -> AsyncOperationQueue {
    AsyncOperationQueue("ours", maxConcurrentOperationCount: width, runtime: runtime)
  }

  // MARK: A dependency that is removed before it has finished

  @Test func `here removing an unfinished dependency lets the operation start`() throws {
    let log = Log()
    let (never, b) = (operation("never", log), operation("b", log))
    try b.addDependency(never)
    let queue = queue()
    try queue.addOperation(b)
    runtime.runUntilIdle()
    #expect(log.entries.isEmpty)
    b.removeDependency(never)
    runtime.runUntilIdle()
    #expect(log.entries == ["b"])
    #expect(queue.operationCount == 0)
  }

  @Test func `in Foundation removing an unfinished dependency hangs the operation`() {
    let started = DispatchSemaphore(value: 0)
    let never = BlockOperation {}
    let b = BlockOperation { started.signal() }
    b.addDependency(never)
    let queue = OperationQueue()
    queue.addOperation(b)
    b.removeDependency(never)
    #expect(b.dependencies.isEmpty)
    #expect(!Self.comes(started, within: 0.15))
    #expect(queue.operationCount == 1)
  }

  // MARK: A cycle

  @Test func `here a cycle is refused, and the error shows its path`() throws {
    let log = Log()
    let all = ["a", "b", "c"].map { operation($0, log) }
    try all[1].addDependency(all[0])
    try all[2].addDependency(all[1])
    let error = #expect(throws: OperationCycle.self) { try all[0].addDependency(all[2]) }
    #expect(error?.labels == ["a", "c", "b", "a"])
    let own = #expect(throws: OperationCycle.self) { try all[0].addDependency(all[0]) }
    #expect(own?.labels == ["a", "a"])
    try queue().addOperations(all)
    runtime.runUntilIdle()
    #expect(log.entries == ["a", "b", "c"])
  }

  @Test func `in Foundation a cycle hangs without any report`() {
    let started = DispatchSemaphore(value: 0)
    let pair = (1...2).map { _ in BlockOperation { started.signal() } }
    pair[0].addDependency(pair[1])
    pair[1].addDependency(pair[0])
    let queue = OperationQueue()
    queue.addOperations(pair, waitUntilFinished: false)
    #expect(!Self.comes(started, within: 0.15))
    #expect(queue.operationCount == 2)
  }

  // MARK: Cancelling a pending operation

  @Test func `here cancelling a pending operation lets no dependent start early`() throws {
    let log = Log()
    let root = operation("root", log, takes: 50)
    let (middle, last) = (operation("middle", log), operation("last", log))
    let cleanUp = operation("cleanUp", log)
    try middle.addDependency(root)
    try last.addDependency(middle)
    try cleanUp.addDependency(middle, requires: .end)
    let ends = Log()
    for operation in [root, middle, last, cleanUp] {
      operation.onCompletion { outcome in ends.append("\(operation.name) \(outcome.text)") }
    }
    let queue = queue()
    try queue.addOperations([root, middle, last, cleanUp])
    runtime.advance(by: .ms(10))
    middle.cancel()
    runtime.advance(by: .ms(10))
    #expect(log.entries == ["root"])
    #expect(!middle.isFinished && middle.isCancelled)
    runtime.runUntilIdle()
    #expect(log.entries == ["root", "cleanUp"])
    #expect(
      ends.entries == ["root succeeded", "middle cancelled", "last cancelled", "cleanUp succeeded"])
  }

  @Test func `in Foundation cancelling a pending one lets its dependent overtake the running root`()
  {
    let (rootStarted, proceed, lastStarted) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let root = BlockOperation {
      rootStarted.signal()
      proceed.wait()
    }
    let middle = BlockOperation {}
    let last = BlockOperation { lastStarted.signal() }
    middle.addDependency(root)
    last.addDependency(middle)
    let queue = OperationQueue()
    queue.addOperations([root, middle, last], waitUntilFinished: false)
    #expect(Self.comes(rootStarted, within: 10))
    middle.cancel()
    #expect(Self.comes(lastStarted, within: 10))
    #expect(root.isExecuting && !root.isFinished)
    proceed.signal()
    queue.waitUntilAllOperationsAreFinished()
  }

  // MARK: Asynchronous work

  @Test func `here an operation has ended when its asynchronous work has ended`() throws {
    let log = Log()
    let (work, next) = (operation("work", log, takes: 50), operation("next", log))
    try next.addDependency(work)
    try queue().addOperations([work, next])
    runtime.advance(by: .ms(49))
    #expect(log.entries == ["work"])
    #expect(work.isExecuting && !next.isReady)
    runtime.runUntilIdle()
    #expect(log.entries == ["work", "next"])
  }

  @Test func `in Foundation asynchronous work in a block operation finishes immediately`() {
    let (proceed, workEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let hasEnded = Locked(false)
    let seen = Locked<Bool?>(nil)
    let work = BlockOperation {
      DispatchQueue.global().async {
        proceed.wait()
        hasEnded.withLock { $0 = true }
        workEnded.signal()
      }
    }
    let next = BlockOperation {
      let ended = hasEnded.withLock { $0 }
      seen.withLock { $0 = ended }
    }
    next.addDependency(work)
    let queue = OperationQueue()
    queue.addOperations([work, next], waitUntilFinished: true)
    #expect(work.isFinished)
    #expect(seen.withLock { $0 } == false)
    proceed.signal()
    #expect(Self.comes(workEnded, within: 10))
  }

  // MARK: Cancelling a suspended queue

  @Test func `here cancelling all operations of a suspended queue empties it`() throws {
    let log = Log()
    let queue = queue()
    queue.isSuspended = true
    let (a, b) = (operation("a", log), operation("b", log))
    try b.addDependency(a)
    try queue.addOperations([a, b])
    let waiting = Locked(false)
    runtime.task {
      try await queue.waitUntilFinished()
      waiting.withLock { $0 = true }
    }
    runtime.runUntilIdle()
    queue.cancelAllOperations()
    runtime.runUntilIdle()
    #expect(queue.operationCount == 0)
    #expect(waiting.withLock { $0 })
    #expect(a.outcome?.text == "cancelled" && b.outcome?.text == "cancelled")
    #expect(log.entries.isEmpty)
  }

  @Test func `in Foundation cancelling all operations of a suspended queue keeps them`() {
    let ended = DispatchSemaphore(value: 0)
    let queue = OperationQueue()
    queue.isSuspended = true
    let operation = BlockOperation {}
    operation.completionBlock = { ended.signal() }
    queue.addOperation(operation)
    queue.cancelAllOperations()
    #expect(!Self.comes(ended, within: 0.15))
    #expect(queue.operationCount == 1)
    #expect(!operation.isFinished)
    queue.isSuspended = false
    #expect(Self.comes(ended, within: 10))
  }

  // MARK: A nested wait

  @Test func `here a nested wait for an operation without a permit is refused`() async throws {
    let (queue, runtime, log) = (queue(1), runtime, Log())
    let outer = AsyncOperation("outer") {
      let inner = queue.addOperation("inner") { () -> Void in log.append("inner") }
      do {
        try await inner.waitUntilFinished()
        log.append("waited")
      } catch {
        log.append("\(error)")
      }
      do {
        try await queue.waitUntilFinished()
        log.append("waited")
      } catch {
        log.append("\(error)")
      }
    }
    try queue.addOperation(outer)
    runtime.runUntilIdle()
    let fix =
      "which cannot end before “outer” has; await it from outside, make it a dependency, or give the "
      + "queue a larger width"
    #expect(
      log.entries == [
        "“outer” awaits “inner”, \(fix)",
        "“outer” awaits the end of all operations of its queue, \(fix)", "inner",
      ])
    #expect(queue.operationCount == 0)
  }

  @Test func `here a nested wait for an operation that can end succeeds`() throws {
    let (queue, other, runtime, log) = (queue(2), queue(1), runtime, Log())
    let sibling = operation("sibling", log, takes: 20)
    let foreign = operation("foreign", log, takes: 30)
    try other.addOperation(foreign)
    let outer = AsyncOperation("outer") {
      try await sibling.waitUntilFinished()
      let inner = queue.addOperation("inner") { () -> Void in log.append("inner") }
      try await inner.waitUntilFinished()
      try await foreign.waitUntilFinished()
      try await other.waitUntilFinished()
    }
    try queue.addOperations([outer, sibling])
    runtime.runUntilIdle()
    #expect(outer.outcome?.text == "succeeded")
    #expect(log.entries == ["foreign", "sibling", "inner"])
  }

  @Test func `here operations that would wait for each other are refused, however indirectly`()
    throws
  {
    let (queue, runtime) = (queue(2), runtime)
    let all = Locked<[AsyncOperation]>([])
    let errors = Log()
    let waits: @Sendable (Int) async throws -> Void = { index in
      let other = all.withLock { $0[index] }
      do { try await other.waitUntilFinished() } catch { errors.append("\(error)") }
    }
    let a = AsyncOperation("a") { try await waits(1) }
    let b = AsyncOperation("b") { try await waits(2) }
    let c = AsyncOperation("c") {}
    let d = AsyncOperation("d") { () -> Void in }
    // Here a awaits b, b awaits c, and c depends on d. There is no permit for d.
    try c.addDependency(d)
    all.withLock { $0 = [a, b, c] }
    try queue.addOperations([a, b, c, d])
    runtime.runUntilIdle()
    #expect(errors.entries.count == 1)
    #expect([a, b, c, d].allSatisfy { $0.outcome?.text == "succeeded" })
  }

  @Test func `in Foundation a nested wait in a queue of width 1 never ends`() {
    let (outerEnded, innerEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let cameWhileWaiting = Locked<Bool?>(nil)
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    queue.addOperation {
      let inner = BlockOperation {}
      inner.completionBlock = { innerEnded.signal() }
      queue.addOperation(inner)
      let came = Self.comes(innerEnded, within: 0.15)
      cameWhileWaiting.withLock { $0 = came }
      outerEnded.signal()
    }
    #expect(Self.comes(outerEnded, within: 10))
    #expect(cameWhileWaiting.withLock { $0 } == false)
    #expect(Self.comes(innerEnded, within: 10))
  }

  // MARK: Many waiting operations

  // There is no such test of Foundation: 400 blocked threads would starve the tests that run at the same time.
  @Test func `here four hundred waiting operations block nothing`() throws {
    let runtime = SimulatedRuntime(workers: 2)
    let (waiting, unrelated) = (
      AsyncOperationQueue(runtime: runtime), AsyncOperationQueue(runtime: runtime)
    )
    let dones = Locked<[OperationGraph.Done<Void>]>([])
    for _ in 1...400 {
      waiting.addOperationWithCompletion { done in dones.withLock { $0.append(done) } }
    }
    let log = Log()
    try unrelated.addOperation(
      AsyncOperation("unrelated") { () -> Void in log.append("continued") })
    runtime.runUntilIdle()
    #expect(dones.withLock { $0.count } == 400)
    #expect(log.entries == ["continued"])
    for done in dones.withLock({ $0 }) { done() }
    runtime.runUntilIdle()
    #expect(waiting.operationCount == 0)
  }
}
