import AsyncPatterns

/// Determines the parties that each party waits for.
struct WaitRelations {
  private let report: SimulatedRuntime.Report
  private let steps: UnfinishedSteps
  private let waitersOfSpan: [Span: [Int]]
  private let waiterOfJob: [UInt32: Int]
  private let unstartedOfSpan: [Span: [Int]]
  private let holdsOfSemaphore: [Int: [Int]]

  init(_ report: SimulatedRuntime.Report, _ steps: UnfinishedSteps) {
    self.report = report
    self.steps = steps
    waitersOfSpan = Dictionary(grouping: report.waiters.indices) { report.waiters[$0].span }
    waiterOfJob = Dictionary(
      report.waiters.indices.filter { report.waiters[$0].job != 0 }
        .map { (report.waiters[$0].job, $0) }, uniquingKeysWith: { $1 })
    unstartedOfSpan = Dictionary(grouping: report.unstartedJobs.indices) {
      report.unstartedJobs[$0].span
    }
    holdsOfSemaphore = Dictionary(grouping: report.permitHolds.indices) {
      report.permitHolds[$0].semaphore
    }
  }

  func targets(of party: StallReport.Party) -> [StallReport.Party] {
    switch party {
    case .waiter(let index): targets(ofWaiter: index)
    case .unstarted(let index):
      switch report.unstartedJobs[index].needs {
      case .worker: [.pool]
      case .main: holders { $0 == .main }
      case .runLoop(let lane): holders { $0 == lane }
      }
    case .step(let span): targets(ofStep: span)
    case .pool: holders { $0 != .main && $0.number <= UInt32(report.workers) }
    case .hold: []
    }
  }

  private func holders(where isMeant: (Lane) -> Bool) -> [StallReport.Party] {
    report.waiters.indices
      .filter { !report.waiters[$0].isOutside && isMeant(report.waiters[$0].lane) }
      .map { .waiter($0) }
  }

  private func targets(ofStep span: Span) -> [StallReport.Party] {
    let own: [StallReport.Party] =
      (waitersOfSpan[span] ?? []).map { .waiter($0) }
      + (unstartedOfSpan[span] ?? []).map { .unstarted($0) }
    return own.isEmpty ? steps.startedParts(of: span).map { .step($0) } : own
  }

  private func targets(ofWaiter index: Int) -> [StallReport.Party] {
    let waiter = report.waiters[index]
    let below = below(waiter.span)
    let holds = holdsOfSemaphore[waiter.semaphore] ?? []
    // If the waiter has unfinished parts, it took its own permits for them, so it does not wait for itself.
    let parties = holds.filter { below.isEmpty || !isOwn($0, waiter) }.map(party(ofHold:))
    if !parties.isEmpty { return parties.uniqued() }
    if !below.isEmpty || waiter.span != .none { return below }
    // A job that cannot start may be the one that would signal the semaphore.
    return report.unstartedJobs.indices.map { .unstarted($0) }
  }

  /// The unfinished parts below a step, and the jobs that would run for it.
  private func below(_ span: Span) -> [StallReport.Party] {
    guard span != .none else { return [] }
    // A part that has not started may be the cause: it is ready, and has no lane.
    let ready = steps.parts(of: span).filter { steps.step($0)?.started == nil } + [span]
    return steps.startedParts(of: span).map { .step($0) }
      + ready.flatMap { unstartedOfSpan[$0] ?? [] }.map { .unstarted($0) }
  }

  private func isOwn(_ hold: Int, _ waiter: SimulatedRuntime.Waiter) -> Bool {
    let hold = report.permitHolds[hold]
    return hold.job != 0 && hold.job == waiter.job
      || hold.span != .none && hold.span == waiter.span
  }

  private func party(ofHold index: Int) -> StallReport.Party {
    let hold = report.permitHolds[index]
    if let waiter = waiterOfJob[hold.job] { return .waiter(waiter) }
    return steps.step(hold.span) == nil ? .hold(index) : .step(hold.span)
  }
}

extension [StallReport.Party] {
  fileprivate func uniqued() -> [StallReport.Party] {
    var seen: Set<StallReport.Party> = []
    return filter { seen.insert($0).inserted }
  }
}
