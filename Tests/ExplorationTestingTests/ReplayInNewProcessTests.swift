import AsyncSimulation
import ExplorationTesting
import Testing

/// A schedule that a failed test prints repeats the failure in another process.
@Suite struct ReplayInNewProcessTests {
  /// Starts a task for each element of a set, in the order of the set, and fails if a certain one is last.
  @Sendable static func startTasks() async throws {
    let names: Set = ["amber", "birch", "coral", "dune", "ember", "fjord", "grove", "heath"]
    let order = await withTaskGroup(of: String.self) { group in
      for name in names { group.addTask { "\(name) \(Int.random(in: 0..<100))" } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    try check(order.last?.hasPrefix("coral") == false, order.joined(separator: ", "))
  }

  @Test func `a printed schedule repeats its failure in new processes`() async throws {
    let printed = Locked("")
    await withKnownIssue {
      await explored(schedules: 200, Self.startTasks)
    } matching: { issue in
      printed.withLock { $0 = issue.comments.map(\.rawValue).joined() }
      return true
    }
    let text = printed.withLock { $0 }
    let schedule = try #require(text.split(separator: "\"").dropFirst().first.map(String.init))
    #expect(text.contains("To replay it: .explored(replaying: \"\(schedule)\")"))
    for _ in 1...3 {
      let result = try await #require(
        processExitsWith: .success, observing: [\.standardOutputContent]
      ) { [schedule = schedule as String] in
        let known = try #require(Schedule(schedule))
        let replay = await Exploration().replay(known, of: Self.startTasks)
        print(try #require(replay.finding).detail)
      }
      let detail = try #require(
        String(decoding: result.standardOutputContent, as: UTF8.self).split(separator: "\n").last)
      #expect(text.contains(detail), "another failure: \(detail)")
    }
  }
}
