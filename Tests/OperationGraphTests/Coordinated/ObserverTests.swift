import AsyncSimulation
import Foundation
import Testing

@testable import OperationGraph

@Suite struct ObserverTests {
  private let stage = Stage()

  private struct Teller: GraphObserver {
    let log: Log

    func operationStarted(_ operation: GraphOperation, attempt: Int) {
      log.append("\(operation.name) starts, \(attempt)")
    }
    func operationWillRetry(
      _ operation: GraphOperation, after attempt: Int, _ error: any Error
    ) { log.append("\(operation.name) again: \(error)") }
    func operationFinished(_ operation: GraphOperation, _ state: OperationState) {
      log.append("\(operation.name) \(state)")
    }
    func runFinished(_ result: Result<GraphResult, any Error>) { log.append("finished") }
  }

  @Test func `observers are notified of everything, in order, before the completion`() throws {
    var graph = OperationGraph()
    let flaky = graph.addWithCompletion(
      "flaky", of: String.self, with: .retry(2), perform: stage.fail("no", 10))
    graph.add("after", after: flaky) {}
    let log = Log()
    _ = try graph.launch(
      onFailure: .continue, observers: [Teller(log: log)], runtime: stage.runtime
    ) { _ in log.append("completion") }
    stage.finish()
    #expect(
      log.entries == [
        "flaky starts, 1", "flaky again: no", "flaky starts, 2", "flaky failed: no",
        "after skipped", "finished", "completion",
      ])
  }

  @Test func `an operation's captures are released under no lock`() throws {
    /// Reads the run from another thread when it is released. The read blocks as long as the lock is held.
    final class Looker: Sendable {
      let run = Locked<GraphRun?>(nil)
      let hasSeen: Locked<Bool?>

      init(_ hasSeen: Locked<Bool?>) { self.hasSeen = hasSeen }

      deinit {
        let run = run.withLock { $0 }
        // This thread is outside the simulation. The current thread waits for it in real time.
        let seen = Locked(false)
        Thread.detachNewThread {
          _ = run?.progress
          seen.withLock { $0 = true }
        }
        let isInTime = (0..<5_000).contains { _ in
          usleep(1_000)
          return seen.withLock { $0 }
        }
        hasSeen.withLock { $0 = isInTime }
      }
    }
    let hasSeen = Locked<Bool?>(nil)
    let looker = Locked<Looker?>(Looker(hasSeen))
    var graph = OperationGraph()
    graph.addWithCompletion("a") { done in
      let looker = looker.withLock { $0.take() }
      done.onCancel { _ = looker }
      done()
    }
    let run = try graph.launch(isSuspended: true, runtime: stage.runtime)
    looker.withLock { $0 }?.run.withLock { $0 = run }
    run.resume()
    stage.finish()
    #expect(hasSeen.withLock { $0 } == true)
  }

  @Test func `an observer may control the run`() throws {
    struct Stopper: GraphObserver {
      let run = Locked<GraphRun?>(nil)
      func operationFinished(_ operation: GraphOperation, _ state: OperationState) {
        run.withLock { $0 }?.cancel()
      }
    }
    var graph = OperationGraph()
    let a = graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 10))
    let b = graph.addWithCompletion("b", of: String.self, after: a, perform: stage.work("b", 10))
    let stopper = Stopper()
    let run = try graph.launch(
      observers: [stopper], isSuspended: true, runtime: stage.runtime)
    stopper.run.withLock { $0 = run }
    run.resume()
    stage.finish()
    #expect("\(run.state(of: b))" == "cancelled")
    stopper.run.withLock { $0 = nil }
  }

  @Test func `progress counts every operation, and its updates end with the run`() async throws {
    var graph = OperationGraph()
    let bad = graph.addWithCompletion("bad", of: String.self, perform: stage.fail("bad", 10))
    graph.add("after", after: bad) {}
    let run = try graph.launch(onFailure: .continue, isSuspended: true, runtime: stage.runtime)
    #expect(run.progress.fraction == 0)
    let updates = run.progressUpdates
    run.resume()
    stage.finish()
    var last: GraphProgress?
    for await progress in updates { last = progress }
    #expect(last?.failed == 1 && last?.skipped == 1 && last?.fraction == 1)
    var later: [GraphProgress] = []
    for await progress in run.progressUpdates { later.append(progress) }
    #expect(later.last == last)
  }

  @Test func `an event that does not change the progress is no update`() async throws {
    var graph = OperationGraph()
    graph.add("a") {}
    let run = try graph.launch(isSuspended: true, runtime: stage.runtime)
    let updates = run.progressUpdates
    let next = Task { () -> GraphProgress? in
      var updates = updates.makeAsyncIterator()
      #expect(await updates.next() == run.progress)
      run.suspend()
      // A cancelled task gets an update that has arrived, but does not wait for one.
      withUnsafeCurrentTask { $0?.cancel() }
      return await updates.next()
    }
    #expect(await next.value == nil)
    run.resume()
    stage.finish()
  }

  @Test func `a run records when operations became ready, started and ended`() throws {
    var graph = OperationGraph()
    let a = graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 10))
    graph.addWithCompletion("b", of: String.self, after: a, perform: stage.work("b", 5))
    graph.addWithCompletion("c", of: String.self, perform: stage.work("c", 20))
    let run = try graph.launch(width: 1, isRecording: true, runtime: stage.runtime)
    stage.finish()
    let records = try #require(run.records).map { record in
      [record.ready, record.started, record.finished].map {
        Int(($0?.nanoseconds ?? -1_000_000) / 1_000_000)
      }
    }
    #expect(records == [[0, 0, 10], [10, 30, 35], [0, 10, 30]])
  }

  @Test func `the value can be awaited, and the wait cancelled`() async throws {
    var graph = OperationGraph()
    let a = graph.addWithCompletion("a", of: String.self, perform: stage.work("a", 10))
    let run = try graph.launch(runtime: stage.runtime)
    let waiting = Task { try await run.value }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    stage.finish()
    #expect(try await run.value[a] == "a")
  }
}
