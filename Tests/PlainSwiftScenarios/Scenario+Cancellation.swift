import AsyncSimulation

extension Scenario {
  static let cancellation = [
    Scenario(
      "a cancellation handler runs once, before, during or after the operation",
      outcomes: ["started cancelled", "cancelled started", "started finished"]
    ) {
      let journal = Journal()
      let task = Task {
        await withTaskCancellationHandler {
          journal.note("started")
          await Task.yield()
          await Task.yield()
        } onCancel: {
          journal.note("cancelled")
        }
      }
      await Task.yield()
      task.cancel()
      task.cancel()
      await task.value
      try check(journal.entries.count { $0 == "cancelled" } <= 1, "the handler ran twice")
      if journal.entries == ["started"] { journal.note("finished") }
      return journal.text
    },
    Scenario("a cancelled sleep ends immediately and throws") {
      let start = ContinuousClock.now
      let sleeper = Task {
        do {
          try await Task.sleep(for: .seconds(60))
          return false
        } catch is CancellationError {
          return Task.isCancelled
        }
      }
      try await Task.sleep(for: .seconds(1))
      sleeper.cancel()
      try check(try await sleeper.value)
      try check(ContinuousClock.now - start == .seconds(1))
    },
    Scenario("a task may see that it was cancelled", outcomes: ["seen", "missed"]) {
      let task = Task {
        for _ in 1...3 {
          if Task.isCancelled { return "seen" }
          await Task.yield()
        }
        return "missed"
      }
      await Task.yield()
      task.cancel()
      return await task.value
    },
    Scenario("cancellation reaches children, and no unstructured task") {
      let task = Task {
        async let child = sleepsUntilCancelled()
        let free = Task { await sleepsUntilCancelled() }
        return await (child, free.value)
      }
      try await Task.sleep(for: .seconds(1))
      task.cancel()
      let (child, free) = await task.value
      try check(child)
      try check(!free)
    },
  ]
}

@Sendable private func sleepsUntilCancelled() async -> Bool {
  do {
    try await Task.sleep(for: .seconds(5))
    return false
  } catch {
    return true
  }
}
