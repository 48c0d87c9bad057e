import AsyncSimulation

extension Scenario {
  static let isolation = [
    Scenario("an actor knows that it is isolated, even in plain functions") {
      let account = CheckedAccount()
      await account.deposit(10)
      try check(await account.balance == 10)
    },
    Scenario("the main actor is one place, for classes, functions and closures") {
      let model = await MainActor.run { Model() }
      await withTaskGroup(of: Void.self) { group in
        for _ in 1...3 { group.addTask { await model.touch() } }
        group.addTask { await MainActor.run { model.touchWhereAssumed() } }
        group.addTask { @MainActor in model.count += 1 }
      }
      try check(await model.count == 5)
    },
    Scenario(
      "a global actor serves its tasks in any order", outcomes: ["a b", "b a"]
    ) {
      async let first: Void = Records.note("a")
      async let second: Void = Records.note("b")
      _ = await (first, second)
      return await Records.take()
    },
    Scenario("a function that is not isolated leaves the main actor, and returns") {
      try await leaveAndReturn()
    },
  ]

  @MainActor private static func leaveAndReturn() async throws {
    MainActor.preconditionIsolated()
    await elsewhere()
    MainActor.preconditionIsolated()
    await here()
  }

  @concurrent private static func elsewhere() async { await Task.yield() }

  private static func here(_ isolation: isolated (any Actor)? = #isolation) async {
    isolation?.preconditionIsolated()
    await Task.yield()
    isolation?.preconditionIsolated()
  }
}

private actor CheckedAccount {
  private(set) var balance = 0

  func deposit(_ amount: Int) {
    preconditionIsolated()
    depositWhereAssumed(amount)
  }

  private nonisolated func depositWhereAssumed(_ amount: Int) {
    assumeIsolated { $0.balance += amount }
  }
}

@MainActor private final class Model {
  var count = 0
  func touch() { count += 1 }
  nonisolated func touchWhereAssumed() { MainActor.assumeIsolated { count += 1 } }
}

@globalActor private actor Keeper {
  static let shared = Keeper()
}

@Keeper private enum Records {
  private static var entries: [String] = []
  static func note(_ entry: String) { entries.append(entry) }
  static func take() -> String {
    defer { entries = [] }
    return entries.joined(separator: " ")
  }
}
