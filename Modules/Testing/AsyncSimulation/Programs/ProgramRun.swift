import AsyncPatterns
package import SwiftTasks

/// One run of a whole program under a schedule.
///
/// The main thread carries the simulation. It first runs the code of `main` until that waits, then one task after
/// another. The run ends when the program ends its process, or when nothing can continue.
package final class ProgramRun {
  /// The schedule of a run.
  package struct Plan {
    let plan: TrialRun.Plan

    init(_ plan: TrialRun.Plan) { self.plan = plan }

    /// One schedule, with a narration.
    package init(_ schedule: Schedule) { plan = TrialRun.Plan(schedule, narrates: true) }

    package static var firstInFirstOut: Plan {
      Plan(TrialRun.Plan(choices: Choices(.firstInFirstOut)))
    }
  }

  private let trial: TrialRun
  var runtime: SimulatedRuntime { trial.runtime }
  var loop: EventLoop { runtime.loop }

  package init(_ plan: Plan, as exploration: Exploration) {
    trial = TrialRun(
      plan.plan, of: ProgramSubject(), as: exploration,
      patience: exploration.patience, room: EventLoop.Room())
  }

  /// Takes over the process. Call it on the main thread, before `main`.
  ///
  /// - Parameters:
  ///   - name: the name of the program in the trace.
  ///   - onEnd: called with a finding when nothing can continue or the limit of events is reached.
  package func takeOverProcess(as name: String, onEnd: @escaping @Sendable (Finding) -> Void) {
    let loop = loop
    trial.beginWithCaller { ending in onEnd(loop.stall(ending)) }
    if let log = trial.log { beginTrace(log, name) }
    loop.tasks.takeOverProcess { loop.carryOnWithCaller() }
  }

  /// Records the program as one span, the parent of its tasks.
  private func beginTrace(_ log: TrialLog, _ name: String) {
    let program = log.nextSpan()
    log.record(.submitted(program, in: .none, label: name, kind: "program", at: .zero))
    log.record(.started(program, at: .zero))
    loop.taskLog?.root = program
    LaneContext.current.continueFor(program)
  }

  /// The thread that runs the simulation, as the system names it. A signal handler may read it.
  package var carrier: UInt { loop.carrier.load(ordering: .relaxed) }

  // MARK: Results so far; to be read on the thread that runs the simulation

  package var eventCount: Int { trial.eventCount }
  /// Where tasks have waited for threads outside the simulation.
  package var awaitedOutside: Set<[CodeAddress]> { loop.awaitedOutside }
  /// Whether some work left the simulation.
  package var hasEscaped: Bool { loop.hasEscaped }
  package var drawn: [UInt32] { loop.choices.drawn }
  package var counts: [UInt32] { loop.choices.counts }
  /// The events of the trace, for a process that ends now.
  ///
  /// - Parameter isByItself: whether the program itself ends the process.
  package func events(endedByItself isByItself: Bool) -> [TraceEvent] {
    if isByItself { loop.taskLog?.processEnds(at: now) }
    return trial.log?.events ?? []
  }
  /// The virtual time.
  package var now: Instant { loop.now }
  /// The narration so far, if the run is narrated.
  ///
  /// - Parameter hasEnded: whether the program has ended by itself.
  package func narration(hasEnded: Bool) -> Narration? { trial.narration(hasEnded: hasEnded) }
}

/// A program. It starts by itself.
private final class ProgramSubject: Subject {
  func start(
    on runtime: SimulatedRuntime, disturbedBy disturber: Disturber
  ) -> any StartedSubject {
    StartedProgram()
  }
}

private final class StartedProgram: StartedSubject {
  /// Only a thread outside the simulation can bring work.
  var isAwaited: (@Sendable () -> Bool)? { { Threads.ofOthers > 0 } }
  var isUnfinished: Bool { false }
  func stop() {}

  /// Always nil: `takeOverProcess(as:onEnd:)` reports the finding itself.
  func finding(_ ending: SimulatedRuntime.Ending, _ events: [TraceEvent]) -> Finding? { nil }
}
