import AsyncSimulation
import PatternTesting
import Testing

@Suite struct AutosaveTests {
  @Test func `edits are saved together, two seconds after the first`() throws {
    let runtime = SimulatedRuntime()
    let saved = Locked<[String]>([])
    let autosave = Autosave(after: .seconds(2), runtime: runtime) { text in
      saved.withLock { $0.append(text) }
    }

    autosave.edit("He")
    runtime.advance(by: .seconds(1))
    autosave.edit("Hello")
    #expect(saved.withLock { $0 } == [])

    runtime.advance(by: .seconds(1))
    #expect(saved.withLock { $0 } == ["Hello"])
    try runtime.finish()
  }

  @Test(.timeLimit(.minutes(1))) func `an edit is saved when the test’s clock says so`() async {
    let clock = ManualClock()
    let (saved, saving) = AsyncStream.makeStream(of: String.self)
    let autosave = Autosave(after: .seconds(2), runtime: ClockRuntime(clock)) { text in
      saving.yield(text)
    }

    autosave.edit("Hello")
    clock.advance(by: .seconds(2))
    #expect(await saved.first { _ in true } == "Hello")
  }

  /// The message about a simulation that should have ended and had not.
  static func unfinished() -> String {
    let runtime = SimulatedRuntime()
    let autosave = Autosave(after: .seconds(2), runtime: runtime) { _ in }
    autosave.edit("He")
    do {
      try runtime.finish()
      return ""
    } catch { return "\(error)" }
  }

  /// An edit arrives over the network while a save is due. The last edit must win.
  @Sendable static func lateEdit(_ runtime: SimulatedRuntime) -> @Sendable () -> String? {
    let saved = Locked("")
    let autosave = Autosave(after: .seconds(2), runtime: runtime) { text in
      saved.withLock { $0 = text }
    }
    runtime.pool.schedule(after: .seconds(2)) { autosave.edit("final") }
    autosave.edit("draft")
    return {
      let text = saved.withLock { $0 }
      return text == "final" ? nil : "the saved text is “\(text)”"
    }
  }

  @Test func `in the order of arrival the last edit wins`() throws {
    let runtime = SimulatedRuntime()
    let check = Self.lateEdit(runtime)
    runtime.runUntilIdle()
    #expect(check() == nil)
    try runtime.finish()
  }

  @Test func `the exploration finds the lost edit`() throws {
    let report = Exploration(schedules: 200).explore(Self.lateEdit)
    let violation = try #require(report.violation)
    #expect(violation.finding.detail == "the saved text is “draft”")
    #expect(violation.isReproducible)
  }

  @Test func `the schedule that lost an edit loses it again`() throws {
    let schedule = try #require(Schedule("4 workers, 0:1"))
    let runtime = SimulatedRuntime(workers: schedule.workers, replaying: schedule.choices)
    let check = Self.lateEdit(runtime)
    runtime.runUntilIdle()
    #expect(check() == "the saved text is “draft”")
  }

  @Test func `the fixed version loses no edit under any schedule`() {
    let exploration = Exploration(schedules: 200, strategy: .depthFirst(deviations: nil))
    let report = exploration.explore { runtime in
      let saved = Locked("")
      let autosave = FixedAutosave(after: .seconds(2), runtime: runtime) { text in
        saved.withLock { $0 = text }
      }
      runtime.pool.schedule(after: .seconds(2)) { autosave.edit("final") }
      autosave.edit("draft")
      return { saved.withLock { $0 == "final" ? nil : "the saved text is “\($0)”" } }
    }
    #expect(report.violation == nil, "\(report)")
    #expect(report.ending == .exhausted)
  }

  @Test func `asynchronous code sleeps on virtual time`() async throws {
    let runtime = SimulatedRuntime()
    let clock = runtime.clock
    let fetching = runtime.task {
      var attempts = 1
      while attempts < 5 {
        try await clock.sleep(for: .seconds(60))
        attempts += 1
      }
      return attempts
    }
    runtime.runUntilIdle()
    #expect(try await fetching.value == 5)
    #expect(runtime.now == Instant.zero.advanced(by: .seconds(240)))
    try runtime.finish()
  }
}
