import AsyncSimulation

extension Scenario {
  static let deinits = [
    Scenario("an isolated deinit runs on its global actor") {
      let journal = Journal()
      let object = await MainActor.run { Guarded(journal) }
      let task = Task.detached { [object] in _ = object }
      _ = consume object
      await task.value
      while journal.entries.isEmpty { await Task.yield() }
      try check(journal.entries == ["gone"])
    },
    Scenario("an isolated deinit runs on its actor, with its state") {
      let journal = Journal()
      do {
        let holder = Holder(journal)
        await holder.add()
        await holder.add()
      }
      while journal.entries.isEmpty { await Task.yield() }
      try check(journal.entries == ["gone with 2"], journal.text)
    },
  ]
}

@MainActor private final class Guarded {
  private let journal: Journal
  init(_ journal: Journal) { self.journal = journal }
  isolated deinit {
    MainActor.preconditionIsolated()
    journal.note("gone")
  }
}

private actor Holder {
  private let journal: Journal
  private var count = 0
  init(_ journal: Journal) { self.journal = journal }
  func add() { count += 1 }
  isolated deinit {
    preconditionIsolated()
    journal.note("gone with \(count)")
  }
}
