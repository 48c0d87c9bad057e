import AsyncSimulation
import Dispatch
import Foundation
import Synchronization
import Testing

/// Dispatch, used by code that knows nothing of the simulation.
@Suite struct DispatchTests {
  private func explore(
    _ schedules: Int = 50, _ body: @escaping @Sendable () async throws -> Void
  ) async -> ExplorationReport {
    await Exploration(schedules: schedules).explore(body)
  }

  @Test func `jobs of a global queue run in any order, and jobs of a serial queue in its order`()
    async
  {
    let orders = Mutex<Set<String>>([])
    let report = await explore {
      let text = Mutex("")
      let group = DispatchGroup()
      let serial = DispatchQueue(label: "serial")
      for letter in ["a", "b"] {
        DispatchQueue.global().async(group: group) { text.withLock { $0 += letter } }
        serial.async(group: group) { text.withLock { $0 += letter.uppercased() } }
      }
      await withCheckedContinuation { continuation in
        group.notify(queue: .main) { continuation.resume() }
      }
      _ = orders.withLock { $0.insert(text.withLock { $0 }) }
    }
    #expect(report.violation == nil, "\(report)")
    #expect(report.escapes.isEmpty)
    orders.withLock { orders in
      #expect(orders.contains { $0.filter(\.isLowercase) == "ab" })
      #expect(orders.contains { $0.filter(\.isLowercase) == "ba" })
      #expect(orders.allSatisfy { $0.filter(\.isUppercase) == "AB" })
    }
  }

  @Test func `a delay takes virtual time`() async {
    let report = await explore {
      let start = ContinuousClock.now
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(deadline: .now() + 3_600) { continuation.resume() }
      }
      try check(ContinuousClock.now - start == .seconds(3_600))
      await withCheckedContinuation { continuation in
        DispatchQueue.global().asyncAfter(wallDeadline: .now() + 60) { continuation.resume() }
      }
      let elapsed = ContinuousClock.now - start
      try check(abs((elapsed - .seconds(3_660)) / .milliseconds(1)) < 1, "\(elapsed)")
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test func `the queue of a blocked closure is not the queue of what runs meanwhile`() async {
    let report = await explore(1) {
      let queue = DispatchQueue(label: "queue")
      let gate = DispatchSemaphore(value: 0)
      await withCheckedContinuation { continuation in
        queue.async {
          gate.wait()
          dispatchPrecondition(condition: .onQueue(queue))
          continuation.resume()
        }
        Task {
          await Task.yield()
          dispatchPrecondition(condition: .notOnQueue(queue))
          gate.signal()
        }
      }
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test func `a semaphore blocks its task, and other tasks continue`() async {
    let report = await explore {
      let semaphore = DispatchSemaphore(value: 0)
      Task {
        try await Task.sleep(for: .seconds(10))
        semaphore.signal()
      }
      let start = DispatchTime.now()
      try check(Self.wait(semaphore, for: .seconds(5)) == .timedOut)
      try check(Self.wait(semaphore, for: .seconds(100)) == .success)
      try check(DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds == 10_000_000_000)
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test func `a wait times out even if no worker is free`() async {
    let report = await Exploration(schedules: 3, workers: 1).explore {
      try check(Self.wait(DispatchSemaphore(value: 0), for: .seconds(5)) == .timedOut)
    }
    #expect(report.violation == nil, "\(report)")
  }

  /// Wraps `wait`, which asynchronous code must not call directly.
  private static func wait(
    _ semaphore: DispatchSemaphore, for interval: DispatchTimeInterval
  ) -> DispatchTimeoutResult {
    semaphore.wait(timeout: .now() + interval)
  }

  @Test func `code can detect the queue that it runs on`() async {
    let report = await explore {
      let key = DispatchSpecificKey<Int>()
      let queue = DispatchQueue(label: "own")
      queue.setSpecific(key: key, value: 7)
      let value = queue.sync {
        dispatchPrecondition(condition: .onQueue(queue))
        return DispatchQueue.getSpecific(key: key)
      }
      try check(value == 7)
      dispatchPrecondition(condition: .notOnQueue(queue))
      try check(DispatchQueue.getSpecific(key: key) == nil)
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test func `two queues that wait for each other are a stall that names both`() async throws {
    let report = await explore {
      let first = DispatchQueue(label: "first")
      let second = DispatchQueue(label: "second")
      await withCheckedContinuation { continuation in
        first.async { second.sync {} }
        second.async { first.sync { continuation.resume() } }
      }
    }
    let violation = try #require(report.violation)
    #expect(violation.finding.property == "finishes")
    #expect(violation.isReproducible)
    #expect(violation.finding.detail.contains("the queue “first”"))
    #expect(violation.finding.detail.contains("the queue “second”"))
  }

  @Test func `code on the main queue that waits for the main queue is a stall`() async throws {
    let report = await explore {
      await MainActor.run { DispatchQueue.main.sync {} }
    }
    let violation = try #require(report.violation)
    #expect(violation.finding.property == "finishes")
    #expect(violation.finding.detail.contains("the queue “com.apple.main-thread”"), "\(violation)")
  }

  @Test func `a work item can be awaited, and a cancelled one does not run`() async {
    let report = await explore {
      let count = Mutex(0)
      let item = DispatchWorkItem { count.withLock { $0 += 1 } }
      let cancelled = DispatchWorkItem { count.withLock { $0 += 100 } }
      cancelled.cancel()
      DispatchQueue.global().async(execute: item)
      DispatchQueue.global().async(execute: cancelled)
      Self.wait(item)
      try check(count.withLock { $0 } == 1)
    }
    #expect(report.violation == nil, "\(report)")
  }

  private static func wait(_ item: DispatchWorkItem) { item.wait() }

  @Test func `an outside thread can give the permit that a task waits for`() async {
    // The thread signals before, while or after the body checks the semaphore.
    for _ in 0..<200 {
      let report = await Exploration(schedules: 3, patience: .seconds(30)).explore {
        let semaphore = DispatchSemaphore(value: 0)
        Thread.detachNewThread { semaphore.signal() }
        try check(Self.wait(semaphore, for: .never) == .success)
      }
      #expect(report.violation == nil, "\(report)")
    }
  }

  @Test func `a Dispatch queue outside a simulation behaves normally`() async {
    let isVirtual = await withCheckedContinuation { continuation in
      DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(1)) {
        continuation.resume(returning: Date.now.timeIntervalSince1970 == 1_767_225_600)
      }
    }
    #expect(!isVirtual)
  }
}
