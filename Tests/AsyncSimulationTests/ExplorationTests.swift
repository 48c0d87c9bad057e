import AsyncSimulation
import Testing

@Suite struct ExplorationTests {
  /// Two payments that check the balance before they act. Other jobs may run between the check and the action.
  static func payments(_ runtime: SimulatedRuntime) -> @Sendable () -> String? {
    let balance = Locked(10)
    for _ in 1...2 {
      runtime.pool.schedule {
        guard balance.withLock({ $0 }) >= 10 else { return }
        runtime.pool.schedule { balance.withLock { $0 -= 10 } }
      }
    }
    return { balance.withLock { $0 < 0 ? "the balance is \($0)" : nil } }
  }

  @Test(.timeLimit(.minutes(1)))
  func `the handle of an ended exploration does not keep what was called at its end`() async {
    final class Captured: Sendable {
      let onRelease: @Sendable () -> Void
      init(onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
      deinit { onRelease() }
    }
    let handle = Locked<OngoingExploration?>(nil)
    await withCheckedContinuation { continuation in
      let captured = Captured { continuation.resume() }
      let ongoing = Exploration(schedules: 2).start(.value("a", .none)) { _ in
        withExtendedLifetime(captured) {}
      }
      handle.withLock { $0 = ongoing }
    }
    #expect(handle.withLock { $0 }?.schedules ?? 0 > 0)
  }

  @Test(arguments: [
    Exploration.Strategy.random, .pct(depth: 2), .depthFirst(deviations: nil),
    .depthFirst(deviations: 2),
  ])
  func `a check-then-act race is found`(strategy: Exploration.Strategy) {
    let report = Exploration(schedules: 200, strategy: strategy).explore(Self.payments)
    #expect(report.violations > 0)
    #expect(report.violation?.finding.detail == "the balance is -10")
    #expect(report.violation?.isReproducible == true)
  }

  @Test func `a violation shows where and how it deviates from a passing schedule`() throws {
    let step = Step("all", pattern: AtOnce(), steps: [.sleep("a", .ms(1)), .sleep("b", .ms(1))])
    let report = Exploration(schedules: 200, isRecording: true).explore(step) { trial in
      let finished = trial.events.filter { $0.kind == .finished }.map(\.span)
      return finished.first == Span(id: 3) ? Finding("a is first", "b is") : nil
    }
    let violation = try #require(report.violation)
    let count = try #require(violation.sharedCount)
    #expect(violation.moments[count].actor == "b")
    #expect(violation.moments[count].alternatives == ["a"])
    #expect(violation.nextWhenShared == "a")
    #expect(violation.moments.allSatisfy { !$0.isInjection })
  }

  @Test func `an injection is a moment of its own`() throws {
    let step = Step("all", pattern: AtOnce(), steps: [.sleep("a", .ms(1))])
    let report = Exploration(schedules: 50, injection: .cancel).explore(step) { trial in
      if case .failure = trial.result { Finding("succeeds", "it does not") } else { nil }
    }
    let violation = try #require(report.violation)
    let count = try #require(violation.sharedCount)
    #expect(violation.moments.indices.filter { violation.moments[$0].isInjection } == [count])
    #expect(violation.nextWhenShared == nil)
  }

  @Test func `a race between steps is reported`() {
    let step = Step(
      "all", pattern: AtOnce(),
      steps: [.sleep("a", .ms(1)), .sleep("b", .ms(1)), .work("c", .ms(1))])
    let report = Exploration(schedules: 200, isRecording: true).explore(step) { trial in
      let finished = trial.events.filter { $0.kind == .finished }.map(\.span)
      return finished.first == Span(id: 4) ? Finding("c is not first", "it is") : nil
    }
    #expect(report.violations > 0)
  }
}

/// Checks what an exploration reports about starts that patterns request, and about permits.
@Suite struct TrialTests {
  @Test func `starts are counted, and late starts are named`() {
    let step = Step(
      "all", pattern: AtOnce(),
      steps: [.sleep("a", .ms(1)), Step("b", pattern: InOrder(), steps: [.value("c", .none)])])
    let found = Exploration(schedules: 1, isWatchingStarts: true).explore(step) { trial in
      trial.starts == ["all": 1, "a": 1, "b": 1, "c": 1] && trial.lateStarts.isEmpty
        ? nil : Finding("starts", "\(trial.starts), late \(trial.lateStarts)")
    }
    #expect(found.violations == 0, "\(found)")
  }

  @Test func `a start that is requested after the cancellation is late`() {
    let stubborn = Step("a") { input, scope, completion in
      scope.runtime.pool.schedule(after: .ms(1)) { completion(.success(input)) }
    }
    let step = Step("all", pattern: InOrder(), steps: [stubborn, .sleep("b", .ms(1))])
    let report = Exploration(
      schedules: 20, strategy: .depthFirst(deviations: 0), injection: .cancel,
      isWatchingStarts: true
    ).explore(step) { trial in
      trial.lateStarts.contains("b")
        ? Finding("b is not late", "\(trial.lateStarts), cancelled: \(trial.isCancelled)") : nil
    }
    #expect(report.violation?.finding.detail == #"["b"], cancelled: true"#)
  }

  @Test(arguments: zip([0, 1, 2, 3], [2, 1, 0, 0]))
  func `permits that are not returned are missing`(_ signals: Int, _ missing: Int) {
    let runtime = SimulatedRuntime()
    runtime.pool.schedule {
      let semaphore = runtime.semaphore(2)
      for _ in 1...2 { semaphore.wait() }
      for _ in 0..<signals { semaphore.signal() }
    }
    runtime.runUntilIdle()
    #expect(runtime.report.missingPermits == missing)
  }
}
