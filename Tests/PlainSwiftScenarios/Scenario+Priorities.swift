import AsyncSimulation

extension Scenario {
  static let priorities = [
    Scenario("tasks inherit their priority, and detached tasks do not") {
      let task = Task(priority: .low) {
        async let child = Task.currentPriority
        let free = Task { Task.currentPriority }
        let detached = Task.detached(priority: .high) { Task.currentPriority }
        return await (child, free.value, detached.value)
      }
      let (child, free, detached) = await task.value
      // A task that waits may have raised them.
      try check(child >= .low)
      try check(free >= .low)
      try check(detached == .high)
    },
    Scenario("a task that is waited for gets the priority of its waiter") {
      let journal = Journal()
      let low = Task(priority: .background) {
        await withTaskPriorityEscalationHandler {
          while Task.currentPriority == .background { await Task.yield() }
          journal.note("raised")
        } onPriorityEscalated: { old, new in
          if old < new { journal.note("escalated") }
        }
      }
      await Task(priority: .high) { await low.value }.value
      try check(journal.entries.last == "raised")
      try check(journal.entries.count <= 2, journal.text)
    },
    Scenario(
      "tasks that yield run in turns, in any order",
      outcomes: ["a a b b", "a b a b", "a b b a", "b a a b", "b a b a", "b b a a"]
    ) {
      let journal = Journal()
      await withTaskGroup(of: Void.self) { group in
        for name in ["a", "b"] {
          group.addTask {
            journal.note(name)
            await Task.yield()
            journal.note(name)
          }
        }
      }
      return journal.text
    },
    Scenario("a priority does not decide which task is next", outcomes: ["high", "low"]) {
      let journal = Journal()
      let low = Task.detached(priority: .low) { journal.note("low") }
      let high = Task.detached(priority: .high) { journal.note("high") }
      await low.value
      await high.value
      return journal.entries.first ?? ""
    },
  ]
}
