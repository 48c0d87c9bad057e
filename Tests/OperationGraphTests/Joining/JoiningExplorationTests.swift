import AsyncSimulation
import OperationGraph
import Testing

/// Checks what must hold for groups and semaphores under every schedule that is tried.
@Suite struct JoiningExplorationTests {
  @Test func `a group notifies each waiter once, and never while it has a member`() {
    let report = Exploration(schedules: 400).explore { runtime in
      let group = JoinGroup(runtime: runtime)
      let (inside, notified, early) = (Locked(0), Locked(0), Locked(0))
      for _ in 0..<3 {
        let membership = group.membership()
        inside.withLock { $0 += 1 }
        runtime.pool.schedule {
          runtime.block(for: .zero)
          inside.withLock { $0 -= 1 }
          membership.leave()
        }
      }
      for _ in 0..<2 {
        runtime.pool.schedule {
          group.notify(on: .inline) {
            if inside.withLock({ $0 }) > 0 { early.withLock { $0 += 1 } }
            notified.withLock { $0 += 1 }
          }
        }
        runtime.task {
          try await group.wait()
          if inside.withLock({ $0 }) > 0 { early.withLock { $0 += 1 } }
          notified.withLock { $0 += 1 }
        }
      }
      return {
        if early.withLock({ $0 }) > 0 { return "notified while it was not empty" }
        let notified = notified.withLock { $0 }
        return notified == 4 && group.count == 0 ? nil : "\(notified) of 4 were notified"
      }
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test func `a wait for a group that races with its cancellation ends once, with either outcome`()
  {
    let report = Exploration(schedules: 400).explore { runtime in
      let group = JoinGroup(runtime: runtime)
      let ends = Locked<[String]>([])
      group.enter()
      let tasks = (0..<3).map { number in
        runtime.task {
          do {
            try await group.wait()
            ends.withLock { $0.append("\(number) continued") }
          } catch {
            ends.withLock { $0.append("\(number) gave up") }
          }
        }
      }
      for task in tasks.dropLast() { runtime.pool.schedule { task.cancel() } }
      runtime.pool.schedule { group.leave() }
      return {
        let ends = ends.withLock { $0 }
        if ends.count != 3 { return "\(ends.count) of 3 ended: \(ends)" }
        return ends.contains("2 continued") ? nil : "a task gave up that was not cancelled"
      }
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test(arguments: [1, 2])
  func `permits are limited, and a cancellation never loses one`(
    _ permits: Int
  ) {
    let report = Exploration(schedules: 500).explore { runtime in
      let semaphore = AsyncSemaphore(permits: permits, runtime: runtime)
      let (running, most, ended) = (Locked(0), Locked(0), Locked(0))
      let enter: @Sendable () -> Void = {
        let now = running.withLock { running in
          running += 1
          return running
        }
        most.withLock { $0 = max($0, now) }
      }
      let leave: @Sendable () -> Void = { running.withLock { $0 -= 1 } }
      let tasks = (0..<4).map { _ in
        runtime.task {
          defer { ended.withLock { $0 += 1 } }
          try await semaphore.withPermit {
            enter()
            try? await runtime.clock.sleep(for: .ms(1))
            leave()
          }
        }
      }
      for task in tasks.prefix(2) { runtime.pool.schedule { task.cancel() } }
      let request = semaphore.whenPermitted { permit in
        enter()
        runtime.pool.schedule {
          leave()
          permit.giveBack()
        }
      }
      runtime.pool.schedule { request.cancel() }
      return {
        if most.withLock({ $0 }) > permits { return "\(most.withLock { $0 }) at the same time" }
        if ended.withLock({ $0 }) != 4 { return "\(ended.withLock { $0 }) of 4 ended" }
        let left = (semaphore.permits, semaphore.waitingCount)
        return left == (permits, 0) ? nil : "permits and waiters in the end: \(left)"
      }
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test func `a queue loses no operation despite cancellations and suspensions`() {
    let report = Exploration(schedules: 400).explore { runtime in
      let queue = AsyncOperationQueue(maxConcurrentOperationCount: 2, runtime: runtime)
      let (running, most) = (Locked(0), Locked(0))
      let ended = Log()
      let operations = (0..<5).map { number in
        AsyncOperation.withCompletion("\(number)") { done in
          let now = running.withLock { running in
            running += 1
            return running
          }
          most.withLock { $0 = max($0, now) }
          runtime.pool.schedule {
            running.withLock { $0 -= 1 }
            done()
          }
        }
      }
      for operation in operations {
        operation.onCompletion { _ in ended.append(operation.name) }
      }
      // The dependencies are 0 → 1 → 2 and 0 → 3. Operation 4 has none.
      try? operations[1].addDependency(operations[0])
      try? operations[2].addDependency(operations[1], requires: .end)
      try? operations[3].addDependency(operations[0])
      runtime.pool.schedule { try? queue.addOperations(operations) }
      runtime.pool.schedule { operations[1].cancel() }
      runtime.pool.schedule { operations[3].removeDependency(operations[0]) }
      runtime.pool.schedule {
        queue.isSuspended = true
        runtime.work(for: .zero)
        queue.isSuspended = false
      }
      return {
        let ended = ended.entries
        if ended.sorted() != ["0", "1", "2", "3", "4"] { return "ended: \(ended)" }
        if most.withLock({ $0 }) > 2 { return "\(most.withLock { $0 }) at the same time" }
        guard let zero = ended.firstIndex(of: "0"), let one = ended.firstIndex(of: "1"),
          let two = ended.firstIndex(of: "2"), zero < one, one < two
        else { return "out of order: \(ended)" }
        return queue.operationCount == 0 ? nil : "\(queue.operationCount) are left"
      }
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test func `of two dependencies that would close a cycle at least one is refused`() {
    let report = Exploration(schedules: 200).explore { runtime in
      let queue = AsyncOperationQueue(runtime: runtime)
      let pair = ["a", "b"].map { AsyncOperation($0) { () -> Void in } }
      for (one, other) in [(pair[0], pair[1]), (pair[1], pair[0])] {
        runtime.pool.schedule {
          runtime.work(for: .zero)
          try? one.addDependency(other)
          runtime.work(for: .zero)
          try? queue.addOperation(one)
        }
      }
      return { pair.allSatisfy(\.isFinished) ? nil : "they wait for each other" }
    }
    #expect(report.violation == nil, "\(report)")
  }
}
