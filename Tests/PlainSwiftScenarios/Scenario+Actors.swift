import AsyncSimulation

extension Scenario {
  static let actors = [
    Scenario("transfers between actors keep the sum") {
      let (first, second) = (Account(10), Account(10))
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await first.transfer(7, to: second) }
        group.addTask { await second.transfer(12, to: first) }
        group.addTask { await first.transfer(5, to: second) }
      }
      let (left, right) = await (first.balance, second.balance)
      try check(left + right == 20)
      try check(left >= 0 && right >= 0)
    },
    Scenario("an actor that is called back while it waits does not deadlock") {
      let (ping, pong) = (Player("ping"), Player("pong"))
      try check(await ping.play(5, with: pong) == "ping pong ping pong ping")
    },
    Scenario(
      "an actor can be entered between a check and an act", outcomes: ["1 fetch", "2 fetches"]
    ) {
      let cache = FetchingCache()
      async let first = cache.value()
      async let second = cache.value()
      _ = await (first, second)
      let count = await cache.fetches
      return count == 1 ? "1 fetch" : "\(count) fetches"
    },
    Scenario("many tasks wait for the value of one") {
      let runs = Locked(0)
      let shared = Task {
        runs.withLock { $0 += 1 }
        try await Task.sleep(for: .seconds(1))
        return 7
      }
      let sum = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 1...4 { group.addTask { try await shared.value } }
        return try await group.reduce(0, +)
      }
      try check(sum == 28)
      try check(runs.withLock { $0 } == 1)
    },
    Scenario(
      "calls of one actor from two tasks arrive in any order", outcomes: ["a b", "b a"]
    ) {
      let log = LogActor()
      let first = Task { await log.note("a") }
      let second = Task { await log.note("b") }
      await first.value
      await second.value
      return await log.text
    },
  ]
}

private actor Account {
  private(set) var balance: Int
  init(_ balance: Int) { self.balance = balance }

  func transfer(_ amount: Int, to other: Account) async {
    guard balance >= amount else { return }
    balance -= amount
    await other.deposit(amount)
  }

  private func deposit(_ amount: Int) { balance += amount }
}

private actor Player {
  private let name: String
  init(_ name: String) { self.name = name }

  func play(_ rounds: Int, with other: Player) async -> String {
    if rounds == 1 { return name }
    return await "\(name) \(other.play(rounds - 1, with: self))"
  }
}

private actor FetchingCache {
  private var stored: Int?
  private(set) var fetches = 0

  func value() async -> Int {
    if let stored { return stored }
    fetches += 1
    await Task.yield()
    stored = 7
    return 7
  }
}

private actor LogActor {
  private var entries: [String] = []
  var text: String { entries.joined(separator: " ") }
  func note(_ entry: String) { entries.append(entry) }
}
