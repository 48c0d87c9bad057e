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

  /// - Parameter isAwaited: whether another thread may still bring something, asked when nothing can continue.
  package init(
    _ plan: Plan, as exploration: Exploration, awaiting isAwaited: @escaping @Sendable () -> Bool
  ) {
    trial = TrialRun(
      plan.plan, of: ProgramSubject(isAwaited: isAwaited), as: exploration,
      patience: exploration.patience, room: EventLoop.Room())
  }

  /// Takes the process over; to be called on the main thread, before `main`.
  ///
  /// - Parameter onEnd: called when nothing can continue, or too much has happened, with what that means.
  package func takeOverProcess(onEnd: @escaping (Finding) -> Void) {
    LaneContext.current.carried = loop.identity
    loop.tasks.takeOverProcess { [self] in
      LaneContext.current.carried = nil
      let ending = trial.runHere(isAwaited: true, elsewhere: { _ in })
      onEnd(trial.subject.finding(ending ?? .idle, []) ?? Finding("finishes", ""))
    }
  }

  // MARK: What is known so far; to be asked for on the main thread

  package var eventCount: Int { trial.eventCount }
  /// Where tasks have waited for threads outside of the simulation.
  package var awaitedOutside: Set<[CodeAddress]> { loop.awaitedOutside }
  package var drawn: [UInt32] { loop.choices.drawn }
  package var counts: [UInt32] { loop.choices.counts }
  /// What has happened, if it is written down.
  package var narration: Narration? { trial.narration }
}

/// A program, which starts by itself.
private struct ProgramSubject: Subject {
  let isAwaited: @Sendable () -> Bool

  func start(
    on runtime: SimulatedRuntime, disturbedBy disturber: Disturber
  ) -> any StartedSubject {
    StartedProgram(runtime: runtime, isAwaited: isAwaited)
  }
}

private struct StartedProgram: StartedSubject {
  unowned let runtime: SimulatedRuntime
  let isAwaited: (@Sendable () -> Bool)?

  var isUnfinished: Bool { false }
  func stop() {}

  func finding(_ ending: SimulatedRuntime.Ending, _ events: [TraceEvent]) -> Finding? {
    runtime.loop.stall(ending)
  }
}
