import AsyncSimulation

extension Scenario {
  static let immediateTasks = [
    Scenario("an immediate task runs to its first suspension before the next line") {
      let journal = Journal()
      let task = Task.immediate {
        journal.note("task")
        await Task.yield()
        journal.note("later")
      }
      journal.note("next line")
      await task.value
      try check(journal.entries == ["task", "next line", "later"], journal.text)
    },
    Scenario("an immediate task stays on the actor of its creator") {
      try await onMainActor()
    },
    Scenario(
      "immediate children of a group start in order, and continue in any",
      outcomes: ["1 2 1 2", "1 2 2 1"]
    ) {
      let journal = Journal()
      await withTaskGroup(of: Void.self) { group in
        for number in 1...2 {
          group.addImmediateTask {
            journal.note("\(number)")
            await Task.yield()
            journal.note("\(number)")
          }
        }
      }
      return journal.text
    },
  ]

  @MainActor private static func onMainActor() async throws {
    let journal = Journal()
    let task = Task.immediate {
      MainActor.preconditionIsolated()
      journal.note("task")
      try await Task.sleep(for: .seconds(1))
      MainActor.preconditionIsolated()
      journal.note("later")
    }
    journal.note("next line")
    try await task.value
    try check(journal.entries == ["task", "next line", "later"], journal.text)
  }
}
