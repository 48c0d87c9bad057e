import AsyncSimulation

extension Scenario {
  static let taskGroups = [
    Scenario(
      "a group gives its results in the order in which they come",
      outcomes: ["1 2 3", "1 3 2", "2 1 3", "2 3 1", "3 1 2", "3 2 1"]
    ) {
      await withTaskGroup(of: Int.self) { group in
        for number in 1...3 { group.addTask { number } }
        var order: [String] = []
        for await number in group { order.append("\(number)") }
        return order.joined(separator: " ")
      }
    },
    Scenario("the clock decides which child is first") {
      let order = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in [3, 1, 2] {
          group.addTask {
            try await Task.sleep(for: .seconds(number))
            return number
          }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      try check(order == [1, 2, 3])
    },
    Scenario("an error leaves a throwing group, and cancels the other children") {
      let start = ContinuousClock.now
      let cancelled = Locked(0)
      do {
        try await withThrowingTaskGroup { group in
          for _ in 1...2 {
            group.addTask {
              do {
                try await Task.sleep(for: .seconds(60))
              } catch {
                cancelled.withLock { $0 += 1 }
              }
            }
          }
          group.addTask {
            try await Task.sleep(for: .seconds(1))
            throw Failure(name: "third")
          }
          try await group.waitForAll()
        }
        try check(false, "the group threw nothing")
      } catch let failure as Failure {
        try check(failure.name == "third")
      }
      // `waitForAll` throws the error after all children have ended, so none of them was cancelled.
      try check(cancelled.withLock { $0 } == 0)
      try check(ContinuousClock.now - start == .seconds(60))
    },
    Scenario("the first error that a group gives cancels the other children") {
      let start = ContinuousClock.now
      let result: Result<Void, any Error>
      do {
        try await withThrowingTaskGroup { group in
          for _ in 1...2 { group.addTask { try await Task.sleep(for: .seconds(60)) } }
          group.addTask {
            try await Task.sleep(for: .seconds(1))
            throw Failure(name: "third")
          }
          for try await _ in group {}
        }
        result = .success(())
      } catch {
        result = .failure(error)
      }
      guard case .failure(let error as Failure) = result else {
        return try check(false, "the group threw nothing")
      }
      try check(error.name == "third")
      try check(ContinuousClock.now - start == .seconds(1))
    },
    Scenario("a discarding group waits for each of its children") {
      let count = Locked(0)
      await withDiscardingTaskGroup { group in
        for _ in 1...5 {
          group.addTask {
            await Task.yield()
            count.withLock { $0 += 1 }
          }
        }
      }
      try check(count.withLock { $0 } == 5)
    },
    Scenario("an error cancels the other children of a discarding group") {
      let start = ContinuousClock.now
      do {
        try await withThrowingDiscardingTaskGroup { group in
          for _ in 1...2 { group.addTask { try await Task.sleep(for: .seconds(60)) } }
          group.addTask {
            try await Task.sleep(for: .seconds(1))
            throw Failure(name: "third")
          }
        }
        try check(false, "the group threw nothing")
      } catch {
        try check(error as? Failure == Failure(name: "third"), "it threw \(error)")
      }
      try check(ContinuousClock.now - start == .seconds(1))
    },
    Scenario("a cancelled group adds no task that asks for it") {
      let journal = Journal()
      await withTaskGroup(of: Void.self) { group in
        let first = group.addTaskUnlessCancelled {
          await Task.yield()
          journal.note("first")
        }
        group.cancelAll()
        let second = group.addTaskUnlessCancelled { journal.note("second") }
        group.addTask { journal.note(Task.isCancelled ? "cancelled" : "not cancelled") }
        journal.note("\(first) \(second) \(group.isCancelled)")
      }
      try check(Set(journal.entries) == ["true false true", "first", "cancelled"])
    },
    Scenario("a group of limited width runs so many children at the same time") {
      let active = Locked((now: 0, most: 0))
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<6 {
          if index >= 2 { await group.next() }
          group.addTask {
            active.withLock {
              $0.now += 1
              $0.most = max($0.most, $0.now)
            }
            await Task.yield()
            active.withLock { $0.now -= 1 }
          }
        }
      }
      try check(active.withLock { $0.most } <= 2)
    },
  ]
}
