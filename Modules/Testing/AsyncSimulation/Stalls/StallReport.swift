public import AsyncPatterns

/// Why a simulation cannot continue: which party waits for which.
///
/// ```swift
/// runtime.runUntilIdle()
/// print(StallReport(runtime.report, events: events))
/// // main is held by “outer”, which has waited for semaphore 1 since 0ms; “inner” needs main, so
/// // semaphore 1 is never signalled: “outer” waits for “inner”, which waits for “outer”.
/// ```
///
/// A blocked job waits for the holders of its semaphore's permits. If the semaphore started without permits, the job
/// waits for the steps below the step that it runs for. A ready job waits for the holder of its lane, and a pattern
/// waits for its steps.
///
/// If a party waits for itself in this way, there is a deadlock. Otherwise the chain ends at a party that waits for no
/// other: a step that holds its completion, or a semaphore that nothing is left to signal.
public struct StallReport: Sendable {
  /// A party that waits, or that another party waits for.
  enum Party: Hashable, Sendable {
    /// A blocked job.
    case waiter(Int)
    /// A job that has not started.
    case unstarted(Int)
    case step(Span)
    /// All workers.
    case pool
    /// A permit that a job has not given back, although the job has ended.
    case hold(Int)
  }

  let report: SimulatedRuntime.Report
  let steps: UnfinishedSteps
  let graph: WaitForGraph<Party>
  /// The steps for which several jobs are blocked.
  let stepsOfSeveralWaiters: Set<Span>
  /// The cycle. Each party waits for the next, and the last for the first. It is empty if there is no deadlock.
  let cycle: [Party]

  /// - Parameters:
  ///   - report: the state after a run that continued as far as possible.
  ///   - events: the events of the simulation's trace, for the names of steps and their parts.
  /// - Complexity: linear in the number of events.
  public init(_ report: SimulatedRuntime.Report, events: [TraceEvent] = []) {
    let steps = UnfinishedSteps(events)
    let relations = WaitRelations(report, steps)
    self.report = report
    self.steps = steps
    graph = WaitForGraph(
      from: report.waiters.indices.map { .waiter($0) } + steps.outermost.map { .step($0) },
      targets: relations.targets)
    stepsOfSeveralWaiters = Set(
      Dictionary(grouping: report.waiters, by: \.span).filter { $0.value.count > 1 }.keys)
    cycle = (graph.cycle() ?? []).beginningWithItsFirstWaiter
  }

  /// Whether some parties wait for one another.
  public var isDeadlock: Bool { !cycle.isEmpty }

  /// The path of a step, as in the record of its run; nil for a step that no event mentions.
  public func path(of span: Span) -> String? { steps.path(of: span) }

  /// The threads that wait for a semaphore that nothing is left to signal. Without a deadlock, that is a lost wake-up.
  public var waitersInVain: [SimulatedRuntime.Waiter] {
    graph.roots.compactMap { root in
      if case .waiter(let index) = root { report.waiters[index] } else { nil }
    }
  }
}

extension [StallReport.Party] {
  /// The same cycle from its first waiter on. Every cycle has a waiter, since only waits for lanes and permits lead
  /// back to an outer step.
  fileprivate var beginningWithItsFirstWaiter: [StallReport.Party] {
    let waiters = indices.filter { if case .waiter = self[$0] { true } else { false } }
    func number(_ index: Int) -> Int {
      if case .waiter(let number) = self[index] { number } else { .max }
    }
    guard let first = waiters.min(by: { number($0) < number($1) }) else { return self }
    return Array(self[first...] + self[..<first])
  }
}
