import AsyncPatterns
import Foundation
import Simulation
import TimingTrace

/// A run on the virtual clock. The simulation has a thread to itself, so the prompt lives on.
final class VirtualExecution: Execution {
  let plan: RunPlan
  private let recorder = Recorder(clock: .virtual)
  private let runtime: SimulatedRuntime
  private let interruption = Locked<Interruption?>(nil)

  private enum Interruption {
    case cancelled
    case timeLimit(Duration)
  }

  init(_ plan: RunPlan) {
    self.plan = plan
    runtime = SimulatedRuntime(
      workers: plan.settings.workers ?? 4, seed: plan.settings.seed, trace: recorder)
  }

  var waitingFor: [String] {
    // The simulation's own clock belongs to its thread.
    let end = recorder.snapshot().last?.time ?? .zero
    return FinishedRun(plan: plan, recorder: recorder, result: nil, start: .zero, end: end)
      .record.openLeaves
  }

  func cancel() { interrupt(.cancelled) }

  private func interrupt(_ reason: Interruption) {
    interruption.withLock { if $0 == nil { $0 = reason } }
    runtime.interrupt()
  }

  func finished() async -> FinishedRun {
    let limit = plan.settings.timeLimit
    let timer = limit.map { limit in
      LiveRuntime.shared.main.schedule(after: limit) { [weak self] in
        self?.interrupt(.timeLimit(limit))
      }
    }
    let run = await withCheckedContinuation { continuation in
      let thread = Thread { continuation.resume(returning: self.simulate()) }
      thread.name = "simulation"
      thread.stackSize = 8 << 20
      thread.start()
    }
    timer?.cancel()
    return run
  }

  private func simulate() -> FinishedRun {
    let result = Locked<Result<Value, any Error>?>(nil)
    Run(plan.composed.step, on: runtime) { settled in result.withLock { $0 = settled } }
    _ = runtime.runUntilIdle()
    let settled = result.withLock { $0 }
    let reason = interruption.withLock { $0 }
    var isCancelled = false
    if case .cancelled? = reason, settled == nil { isCancelled = true }
    var run = FinishedRun(
      plan: plan, recorder: recorder, result: settled, start: .zero,
      end: runtime.now, isCancelled: isCancelled)
    guard settled == nil else { return run }
    switch reason {
    case .cancelled?: break
    case .timeLimit(let limit)?:
      run.remarks.insert(
        "It was stopped at the time limit, \(limit.shortDescription) of real time; “set "
          + "time-limit” or --time-limit sets another.", at: 0)
    case nil:
      run.remarks.insert("Nothing is left that could make it go on: a deadlock.", at: 0)
      run.remarks += runtime.waiters.map { "\($0)." }
    }
    return run
  }
}
