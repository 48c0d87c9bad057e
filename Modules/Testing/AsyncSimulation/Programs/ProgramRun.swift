import AsyncPatterns
package import SwiftTasks

/// One run of a whole program under a schedule.
///
/// The main thread carries the simulation: first the code of `main`, until it waits, then one task after another. The
/// run ends when the program ends its process, or when nothing can continue.
package final class ProgramRun {
  /// Which schedule to run.
  package struct Plan {
    let plan: TrialRun.Plan

    init(_ plan: TrialRun.Plan) { self.plan = plan }

    /// One schedule, narrated.
    package init(_ schedule: Schedule) { plan = TrialRun.Plan(schedule, narrates: true) }

    package static var firstInFirstOut: Plan {
      Plan(TrialRun.Plan(choices: Choices(.firstInFirstOut)))
    }
  }

  private let trial: TrialRun
  private var loop: EventLoop { trial.runtime.loop }

  package init(_ plan: Plan, as exploration: Exploration) {
    trial = TrialRun(
      plan.plan, of: ProgramSubject(), as: exploration,
      patience: exploration.patience, room: EventLoop.Room())
  }

  /// Takes the process over; to be called on the main thread, before `main`.
  ///
  /// - Parameters:
  ///   - name: what the program is called in the trace.
  ///   - onEnd: called when nothing can continue, or too much has happened, with what that means.
  package func takeOverProcess(as name: String, onEnd: @escaping @Sendable (Finding) -> Void) {
    let loop = loop
    trial.beginWithCaller { ending in onEnd(loop.stall(ending)) }
    if let log = trial.log { beginTrace(log, name) }
    loop.tasks.takeOverProcess { loop.carryOnWithCaller() }
  }

  /// The program is one span, below which its tasks stand.
  private func beginTrace(_ log: EventLog, _ name: String) {
    let program = log.nextSpan()
    log.record(.submitted(program, in: .none, label: name, kind: "program", at: .zero))
    log.record(.started(program, at: .zero))
    loop.taskLog?.root = program
    LaneContext.current.continueFor(program)
  }

  // MARK: What is known so far; to be asked for on the main thread

  package var eventCount: Int { trial.eventCount }
  /// Where tasks have waited for threads outside of the simulation.
  package var awaitedOutside: Set<[CodeAddress]> { loop.awaitedOutside }
  package var drawn: [UInt32] { loop.choices.drawn }
  package var counts: [UInt32] { loop.choices.counts }
  /// What the trace has recorded, until the process ends here.
  ///
  /// - Parameter isByItself: whether the program ends it.
  package func events(endedByItself isByItself: Bool) -> [TraceEvent] {
    if isByItself { loop.taskLog?.processEnds(at: now) }
    return trial.log?.events ?? []
  }
  /// The virtual time.
  package var now: Instant { loop.now }
  /// What has happened, if it is written down.
  package var narration: Narration? { trial.narration }
}

/// A program, which starts by itself.
private struct ProgramSubject: Subject {
  func start(
    on runtime: SimulatedRuntime, disturbedBy disturber: Disturber
  ) -> any StartedSubject {
    StartedProgram()
  }
}

private struct StartedProgram: StartedSubject {
  /// Only a thread that is not the simulation's can bring something.
  var isAwaited: (@Sendable () -> Bool)? { { Threads.ofOthers > 0 } }
  var isUnfinished: Bool { false }
  func stop() {}

  /// What holds the process asks itself.
  func finding(_ ending: SimulatedRuntime.Ending, _ events: [TraceEvent]) -> Finding? { nil }
}
