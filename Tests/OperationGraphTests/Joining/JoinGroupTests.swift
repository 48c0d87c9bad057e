import AsyncSimulation
import OperationGraph
import Testing

/// Tests what a group notifies and when, on the virtual clock.
@Suite struct JoinGroupTests {
  private let recording = Recording()
  private let runtime: SimulatedRuntime
  private let group: JoinGroup

  init() {
    runtime = SimulatedRuntime(trace: recording)
    group = JoinGroup("pages", runtime: runtime)
  }

  private var details: [String] { recording.events.filter { $0.kind == .misuse }.map(\.detail) }

  @Test func `an empty group notifies immediately`() {
    let log = Log()
    group.notify(on: .inline) { log.append("notified") }
    #expect(log.entries == ["notified"])
  }

  @Test func `a group notifies when all members have left, in the order of the requests`() throws {
    let log = Log()
    for number in 1...3 {
      group.enter()
      runtime.pool.schedule(after: .ms(number * 10)) {
        log.append("leaves at \(self.runtime.now.nanoseconds / 1_000_000)")
        self.group.leave()
      }
    }
    group.notify(on: .inline) { log.append("first") }
    group.notify { log.append("second") }
    #expect(group.count == 3)
    runtime.runUntilIdle()
    #expect(log.entries == ["leaves at 10", "leaves at 20", "leaves at 30", "first", "second"])
    #expect(group.count == 0)
    try runtime.finish()
  }

  @Test func `a group can be reused, and a notification does not wait for later members`() {
    let log = Log()
    for round in 1...3 {
      let membership = group.membership()
      group.notify(on: .inline) {
        log.append("round \(round)")
        if round == 1 { self.group.enter() }
      }
      membership.leave()
      #expect(log.entries.count == round)
      if round == 1 { group.leave() }
    }
    #expect(log.entries == ["round 1", "round 2", "round 3"])
    #expect(recording.misuse.isEmpty)
  }

  @Test func `an unbalanced leave is reported with its place, and does not crash`() {
    group.leave(file: "App/Early.swift", line: 3)
    #expect(
      details == [
        "group “pages” was left at App/Early.swift:3 while it was empty (it was never entered); "
          + "the call was ignored: leave once for every enter, or use membership(), which leaves only once"
      ])
    group.enter(file: "App/Pages.swift", line: 7)
    group.leave()
    group.leave(file: "App/Pages.swift", line: 9)
    #expect(recording.misuse == ["unbalanced-leave", "unbalanced-leave"])
    #expect(
      details[1].contains(
        "left at App/Pages.swift:9 while it was empty (it was last entered at App/Pages.swift:7)"
      ))
    #expect(group.count == 0)
  }

  @Test func `an unbalanced leave does not end a membership`() {
    let log = Log()
    let membership = group.membership()
    group.notify(on: .inline) { log.append("notified") }
    group.leave()
    #expect(log.entries.isEmpty)
    #expect(recording.misuse == ["unbalanced-leave"])
    membership.leave()
    #expect(log.entries == ["notified"])
  }

  @Test func `a membership that leaves twice is reported with the place of its creation`() {
    let membership = group.membership(file: "App/Pages.swift", line: 12)
    let other = group.membership()
    membership.leave()
    #expect(membership.isFinished)
    membership.leave(file: "App/Retry.swift", line: 40)
    #expect(
      details == [
        "group “pages” was entered at App/Pages.swift:12, and that membership left again at "
          + "App/Retry.swift:40; the second call was ignored: leave only once"
      ])
    #expect(group.count == 1)
    other.leave()
  }

  @Test func `a dropped membership is reported with its place, and counts as left`() {
    let log = Log()
    group.notify(on: .inline) { log.append("empty") }
    _ = group.membership(file: "App/Pages.swift", line: 12)
    group.notify(on: .inline) { log.append("notified") }
    #expect(log.entries == ["empty"])
    runtime.runUntilIdle()
    #expect(log.entries == ["empty", "notified"])
    #expect(
      details == [
        "group “pages” was entered at App/Pages.swift:12, and that membership was released without "
          + "leaving; it counts as left: call leave() on every path"
      ])
  }

  @Test func `an enter without a leave is reported with its place`() throws {
    var group: JoinGroup? = JoinGroup("uploads", runtime: runtime)
    for _ in 1...3 { group?.enter(file: "App/Uploads.swift", line: 5) }
    group?.enter(file: "App/Retry.swift", line: 6)
    group?.leave()
    group?.notify {}
    group = nil
    #expect(details.isEmpty)
    runtime.runUntilIdle()
    let detail = try #require(details.first)
    #expect(
      detail.hasPrefix(
        "group “uploads” was released before all members had left: entered at App/Uploads.swift:5 "
          + "(3 times), App/Retry.swift:6, and left once; 1 waiter was never notified; leave on every path"
      ))
    #expect(recording.misuse == ["unbalanced-leave"])
  }

  @Test func `a balanced group is released without a report`() {
    var group: JoinGroup? = JoinGroup(runtime: runtime)
    group?.enter()
    let membership = group?.membership()
    group?.leave()
    group = nil
    membership?.leave()
    runtime.runUntilIdle()
    #expect(recording.misuse.isEmpty)
  }

  // MARK: Asynchronous code

  @Test func `tasks wait for all members without blocking a thread`() async throws {
    let (group, runtime) = (group, runtime)
    for time in [10, 30] {
      group.enter()
      runtime.pool.schedule(after: .ms(time)) { group.leave() }
    }
    let waiting = (1...3).map { _ in
      runtime.task {
        try await group.wait()
        return runtime.now.nanoseconds
      }
    }
    runtime.runUntilIdle()
    for task in waiting { #expect(try await task.value == 30_000_000) }
    #expect(!recording.events.contains { $0.kind == .blocked })
    try await group.wait()
  }

  @Test func `a cancelled task stops waiting, and the members of the group continue`() async throws
  {
    let (group, runtime) = (group, runtime)
    let membership = group.membership()
    let task = runtime.task { try await group.wait() }
    let other = runtime.task { try await group.wait() }
    runtime.pool.schedule(after: .ms(5)) { task.cancel() }
    runtime.pool.schedule(after: .ms(9)) { membership.leave() }
    runtime.runUntilIdle()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await other.value
    let cancelled = runtime.task { try await group.wait() }
    cancelled.cancel()
    runtime.runUntilIdle()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }

  @Test func `work is a member of the group while it runs, however it ends`() async throws {
    let (group, runtime) = (group, runtime)
    let failing = runtime.task {
      try await group.during {
        try await runtime.clock.sleep(for: .ms(10))
        throw StepFailure("no such page")
      }
    }
    let waiting = runtime.task {
      try await runtime.clock.sleep(for: .ms(1))
      let before = group.count
      try await group.wait()
      return before
    }
    runtime.runUntilIdle()
    await #expect(throws: StepFailure.self) { try await failing.value }
    #expect(try await waiting.value == 1)
    #expect(group.count == 0)
  }

  @Test func `a hundred thousand handlers are called in order and need no stack`() {
    let count = Locked(0)
    let outOfOrder = Locked(0)
    group.enter()
    for number in 0..<100_000 {
      group.notify(on: .inline) {
        let expected = count.withLock { count in
          defer { count += 1 }
          return count
        }
        if number != expected { outOfOrder.withLock { $0 += 1 } }
      }
    }
    group.leave()
    #expect(count.withLock { $0 } == 100_000)
    #expect(outOfOrder.withLock { $0 } == 0)
  }
}
