public import AsyncPatterns

/// Why a simulation cannot go on: who waits for whom.
///
/// ```swift
/// runtime.runUntilIdle()
/// print(Standstill(runtime.report, events: events))
/// // main is held by “outer”, which has waited for semaphore 1 since 0ms; “inner” needs main, so
/// // semaphore 1 is never signalled: “outer” waits for “inner”, which waits for “outer”.
/// ```
///
/// A job that is parked waits for whoever has the permits of its semaphore; of one that began without
/// permits, for the steps below the step it runs for. A job that is ready waits for who holds its lane,
/// and a pattern for its steps. If somebody waits for himself that way it is a deadlock; else there is
/// somebody at the end who waits for nobody: a step that holds its completion, a semaphore that nobody
/// is left to signal.
public struct Standstill: Sendable {
  /// Who takes part in it.
  enum Party: Hashable, Sendable {
    /// A job that is parked.
    case waiter(Int)
    /// A job that has not started.
    case unstarted(Int)
    case step(Span)
    /// All workers.
    case pool
    /// A permit that was not given back by a job that has ended.
    case hold(Int)
  }

  let report: SimulatedRuntime.Report
  let steps: UnfinishedSteps
  let graph: WaitForGraph<Party>
  /// Those for which several jobs are parked.
  let stepsOfSeveralWaiters: Set<Span>
  /// Each waits for the next, and the last for the first; empty if it is no deadlock.
  let cycle: [Party]

  /// - Parameters:
  ///   - report: how things stand after a run that went as far as it could.
  ///   - events: what the simulation's trace was told, for the names of steps and who is part of whom.
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

  /// Whether some wait for one another.
  public var isDeadlock: Bool { !cycle.isEmpty }

  /// The path of a step, as the record of its run has it; nil for one that no event tells of.
  public func path(of span: Span) -> String? { steps.path(of: span) }

  /// Those that wait for a semaphore that nobody is left to signal: a lost wake-up, if there is no
  /// deadlock.
  public var waitersInVain: [SimulatedRuntime.Waiter] {
    graph.roots.compactMap { root in
      if case .waiter(let index) = root { report.waiters[index] } else { nil }
    }
  }
}

extension [Standstill.Party] {
  /// The same cycle; every one has a waiter in it, for only lanes and permits lead upwards.
  fileprivate var beginningWithItsFirstWaiter: [Standstill.Party] {
    let waiters = indices.filter { if case .waiter = self[$0] { true } else { false } }
    func number(_ index: Int) -> Int {
      if case .waiter(let number) = self[index] { number } else { .max }
    }
    guard let first = waiters.min(by: { number($0) < number($1) }) else { return self }
    return Array(self[first...] + self[..<first])
  }
}
