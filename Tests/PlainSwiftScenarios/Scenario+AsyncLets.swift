import AsyncSimulation

extension Scenario {
  static let asyncLets = [
    Scenario("two bindings run in either order", outcomes: ["first second", "second first"]) {
      let journal = Journal()
      async let first: Void = journal.note("first")
      async let second: Void = journal.note("second")
      _ = await (first, second)
      return journal.text
    },
    Scenario("a binding that is not awaited is cancelled, and waited for") {
      let journal = Journal()
      let start = ContinuousClock.now
      do {
        async let unused: Void = {
          try? await Task.sleep(for: .seconds(60))
          journal.note(Task.isCancelled ? "cancelled" : "slept")
        }()
        try await Task.sleep(for: .seconds(1))
      }
      try check(journal.entries == ["cancelled"], journal.text)
      try check(ContinuousClock.now - start == .seconds(1))
    },
    Scenario("the error of a binding is thrown where it is awaited") {
      async let failing: Int = { throw Failure(name: "binding") }()
      async let other = 1
      do {
        _ = try await failing
        try check(false, "it threw nothing")
      } catch let failure as Failure {
        try check(failure.name == "binding")
      }
      try check(await other == 1)
    },
  ]
}
