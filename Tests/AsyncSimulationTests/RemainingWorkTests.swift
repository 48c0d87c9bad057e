import AsyncSimulation
import Testing

/// Checks what remains in a simulation after its last reference is released.
@Suite struct RemainingWorkTests {
  /// An object that a job holds.
  private final class Witness: Sendable {}

  private struct Weakly: Sendable {
    weak var witness: Witness?
    weak var trace: EventRecording?
  }

  /// Work that a simulation was asked to do and that has not happened when its last reference is released.
  enum Remnant: String, CaseIterable {
    case jobs
    case timers
    case timersWhoseTimeHasCome
    case cancelledTimers
    case endsOfTurns
    case occupationThatWaits
    case occupation
    case finishedOccupation
  }

  /// Makes a runtime and releases it with work left in it. The work holds the schedulers and the objects that can
  /// cancel it.
  private func leave(_ remnant: Remnant, inJob: Bool, holding held: Locked<Weakly>) {
    let recording = EventRecording()
    let runtime = SimulatedRuntime(workers: 2, trace: recording)
    let witness = Witness()
    held.withLock { ($0.witness, $0.trace) = (witness, recording) }
    let loops: [any RunLoopScheduler] = [runtime.main, runtime.runLoop("side")]
    let schedulers: [any Scheduler] = loops + [runtime.pool, runtime.serial("queue")]
    let kept = Locked<[any Cancellable]>([])
    let cancellation = Cancellation()
    let hold = { @Sendable in withExtendedLifetime((schedulers, kept, cancellation, witness)) {} }
    let ask = { @Sendable [weak runtime] in
      let asked: [any Cancellable]
      switch remnant {
      case .jobs:
        for scheduler in schedulers { scheduler.schedule(hold) }
        return
      case .timers, .cancelledTimers:
        asked = schedulers.map { $0.schedule(after: .ms(5), hold) }
      case .timersWhoseTimeHasCome:
        asked = schedulers.map { $0.schedule(after: .zero, hold) }
      case .endsOfTurns:
        asked = loops.map { $0.atEndOfTurn(order: 0, hold) }
      case .occupationThatWaits, .occupation, .finishedOccupation:
        runtime?.occupy(.working, for: .ms(5), cancellation: cancellation, begin: hold, then: hold)
        return
      }
      kept.withLock { $0 += asked }
      if remnant == .cancelledTimers { for timer in asked { timer.cancel() } }
    }
    if inJob {
      runtime.pool.schedule(ask)
      runtime.runUntilIdle(limit: 1)
    } else {
      ask()
    }
    switch remnant {
    case .occupation: runtime.run(until: .ms(2))
    case .finishedOccupation:
      runtime.main.schedule { cancellation.cancel() }
      runtime.runUntilIdle(limit: 1)
    default: break
    }
  }

  @Test(arguments: Remnant.allCases, [false, true])
  func `remaining work is released with the simulation`(_ remnant: Remnant, inJob: Bool) {
    let held = Locked(Weakly())
    leave(remnant, inJob: inJob, holding: held)
    #expect(held.withLock { $0.witness } == nil)
    let hasRun = inJob || [.occupation, .finishedOccupation].contains(remnant)
    // If work has run, its thread releases the trace a moment later.
    if !hasRun { #expect(held.withLock { $0.trace } == nil) }
  }

  @Test func `a job behind a blocked job is released with the simulation`() {
    weak var held: Witness?
    do {
      let runtime = SimulatedRuntime()
      let witness = Witness()
      held = witness
      let schedulers: [any Scheduler] = [
        runtime.main, runtime.runLoop("side"), runtime.serial("queue"),
      ]
      for scheduler in schedulers {
        let semaphore = runtime.semaphore(0)
        scheduler.schedule { semaphore.wait() }
        scheduler.schedule { withExtendedLifetime((schedulers, witness)) {} }
      }
      runtime.runUntilIdle()
      #expect(runtime.waiters.count == 3)
      #expect(held != nil)
    }
    #expect(held == nil)
  }

  @Test func `the closure that says whether something is awaited is released after the run`() {
    let runtime = SimulatedRuntime()
    weak var held: Witness?
    do {
      let witness = Witness()
      held = witness
      runtime.runUntilIdle(awaiting: { withExtendedLifetime(witness) { false } })
    }
    #expect(held == nil)
  }

  @Test func `a run in progress ends normally, and then its remaining work is released`() async {
    let log = Log()
    let held = Locked(Weakly())
    let gate = LiveRuntime.shared.semaphore(0)
    await withCheckedContinuation { continuation in
      weak var gone: SimulatedRuntime?
      do {
        let runtime = SimulatedRuntime()
        let (pool, witness) = (runtime.pool, Witness())
        gone = runtime
        held.withLock { $0.witness = witness }
        pool.schedule {
          gate.wait()
          pool.schedule(after: .ms(5)) { log.append("ran") }
          pool.schedule(after: .ms(20)) { withExtendedLifetime((pool, witness)) {} }
        }
        runtime.start(until: .ms(10)) { ending in
          log.append("\(ending)")
          continuation.resume()
        }
      }
      #expect(gone == nil)
      gate.signal()
    }
    #expect(log.entries == ["ran", "reached"])
    #expect(held.withLock { $0.witness } == nil)
  }
}
