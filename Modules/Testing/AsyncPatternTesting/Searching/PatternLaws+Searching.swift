import AsyncPatterns
import AsyncSimulation

/// The property that a law checks in each trial.
struct Property: Sendable {
  /// Whether the check needs all events.
  var isRecording = false
  /// Whether the check needs the steps that were asked to start.
  var isWatchingStarts = false
  /// Returns what does not hold for a trial, or nil.
  var check: @Sendable (Trial, Workload) -> Finding?
}

extension PatternLaws {
  /// How much real time to wait for code that has left the runtime.
  static let patience = Duration.milliseconds(500)

  /// Searches the workloads for a schedule under which the property does not hold.
  func search(_ law: Law, _ workloads: Workloads, _ property: Property) async -> LawVerdict {
    await search(law, workloads) { candidate, schedules, patience in
      var explorations = ways(of: trying(candidate.workload, for: law), among: schedules)
      for index in explorations.indices {
        explorations[index].injection = candidate.workload.injection
        explorations[index].patience = patience
        explorations[index].isRecording = property.isRecording
        explorations[index].isWatchingStarts = property.isWatchingStarts
      }
      let workload = candidate.workload
      return explorations.map { exploration in
        Search(exploration) { property.check($0, workload) }
      }
    }
  }

  /// Searches the candidates that the workloads give, until the law is found to be broken.
  ///
  /// - Parameter searches: returns the searches of one candidate, which may try `schedules` schedules in total.
  func search(
    _ law: Law, _ workloads: Workloads,
    _ searches: (Candidate, _ schedules: Int, _ patience: Duration) -> [Search]
  ) async -> LawVerdict {
    let candidates: [Candidate]
    do throws(NothingToSearch) { candidates = try self.candidates(workloads) } catch {
      return LawVerdict(law, .skipped, remark: error.reason)
    }
    var budget = Budget(self, isPersistent: manual.breaks.contains(law))
    var found: Counterexample?
    if let patience = await patience(for: candidates[0]) {
      search: for (number, candidate) in candidates.enumerated() {
        let share = budget.share(among: candidates.count - number)
        for search in searches(candidate, share, patience) where !budget.isExhausted {
          found = await counterexample(search, of: candidate, &budget)
          if found != nil || Task.isCancelled { break search }
        }
      }
    } else {
      found = Counterexample(hungIn: candidates[0])
    }
    guard !Task.isCancelled else {
      return LawVerdict(law, .skipped, schedules: budget.spent, remark: "cancelled")
    }
    return verdict(law, found, budget)
  }

  private func counterexample(
    _ search: Search, of candidate: Candidate, _ budget: inout Budget
  ) async -> Counterexample? {
    let found = await search.report(of: candidate.step, atMost: budget.timeLeft)
    guard let (report, time) = found else { return Counterexample(hungIn: candidate) }
    budget.spend(report.schedules, time)
    return report.violation.map { Counterexample($0, in: candidate) }
  }

  private func verdict(
    _ law: Law, _ counterexample: Counterexample?, _ budget: Budget
  ) -> LawVerdict {
    let hasTimedOut = counterexample == nil && budget.isExhausted
    let judgement: LawVerdict.Judgement =
      switch (counterexample != nil, manual.breaks.contains(law)) {
      case (true, true): .brokenOnPurpose
      case (true, false): .broken
      // A search with more time might find a violation.
      case (false, true): hasTimedOut ? .skipped : .notBroken
      case (false, false): .kept
      }
    guard !hasTimedOut || budget.spent > 0 else {
      return LawVerdict(law, .skipped, remark: "it timed out before the first schedule finished")
    }
    return LawVerdict(
      law, judgement, counterexample, schedules: budget.spent,
      remark: hasTimedOut ? "it timed out before all schedules were tried" : nil)
  }

  /// The strategies for finding a violation of `law` with that workload. If the workload has an injection, it is first
  /// tried at every place in turn. If the manual says that the law is broken, all strategies are used.
  private func trying(_ workload: Workload, for law: Law) -> [Exploration.Strategy] {
    let systematic: [Exploration.Strategy] =
      workload.injection == nil ? [] : [.depthFirst(deviations: 0)]
    guard manual.breaks.contains(law) else { return systematic + [.random] }
    return systematic + [.random, .pct(depth: 2), .pct(depth: 3), .depthFirst(deviations: 2)]
  }

  private func ways(
    of strategies: [Exploration.Strategy], among schedules: Int
  ) -> [Exploration] {
    strategies.map { strategy in
      Exploration(
        schedules: max(schedules / strategies.count, 1), strategy: strategy, workers: workers,
        seed: seed, eventLimit: Counterexample.eventLimit)
    }
  }

  /// How much real time to wait for code that has left the runtime: almost none, unless the code does leave it.
  ///
  /// - Returns: nil if the code does not return.
  private func patience(for candidate: Candidate) async -> Duration? {
    let hasEscaped = Locked(false)
    let exploration = Exploration(
      schedules: 1, eventLimit: Counterexample.eventLimit, patience: Self.patience)
    let search = Search(exploration) { trial in
      if !trial.report.escapes.isEmpty { hasEscaped.withLock { $0 = true } }
      return nil
    }
    guard await search.report(of: candidate.step, atMost: timeLimit) != nil else { return nil }
    return hasEscaped.withLock { $0 } ? Self.patience : .milliseconds(1)
  }
}

/// An exploration and what it checks.
struct Search: Sendable {
  let exploration: Exploration
  let check: @Sendable (Trial) -> Finding?

  init(_ exploration: Exploration, _ check: @escaping @Sendable (Trial) -> Finding?) {
    self.exploration = exploration
    self.check = check
  }

  /// The report, and how long the exploration took; nil if its code does not return.
  func report(
    of step: Step, atMost limit: Duration
  ) async -> (ExplorationReport, time: Duration)? {
    await AwaitedEnd.wait(atMost: limit) { end in
      let start = LiveRuntime.shared.now
      return exploration.start(step, checking: check) { report in
        end((report, time: start.duration(to: LiveRuntime.shared.now)))
      }
    }
  }
}

extension Counterexample {
  init(_ violation: Violation, in candidate: Candidate) {
    self.init(
      finding: violation.finding, composition: candidate.text, moments: violation.moments,
      sharedCount: violation.sharedCount, nextWhenShared: violation.nextWhenShared,
      schedule: violation.schedule, isReproducible: violation.isReproducible)
  }

  /// A counterexample for code that does not return.
  init(hungIn candidate: Candidate) {
    self.init(
      finding: Finding(
        "returns",
        "its code holds a thread of the simulation: it waits or loops outside of the runtime"
      ),
      composition: candidate.text, moments: [], schedule: nil, isReproducible: false, hasHung: true)
  }
}
