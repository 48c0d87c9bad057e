import AsyncPatterns
import AsyncSimulation
import TimingTrace

/// A run under a given schedule.
///
/// It ends under the same conditions as a run on the virtual clock.
final class ReplayExecution: Execution {
  let plan: RunPlan
  private let schedule: Schedule
  private let work: StoppableWork<FinishedRun>

  init(_ plan: RunPlan, under schedule: Schedule) {
    self.plan = plan
    self.schedule = schedule
    work = StoppableWork(timeLimit: plan.settings.timeLimit) { stop in
      var left = FinishedRun(plan: plan, nil, stop: stop)
      if case .crashed = stop { return left }
      left.remarks.append(VirtualExecution.leftBehind)
      return left
    }
  }

  var soFar: FinishedRun { work.reached ?? FinishedRun(plan: plan, nil, stop: work.stop) }

  func cancel() { work.cancel() }

  var hasEnded: Bool { work.reached != nil }

  func crashed(_ reason: String) { work.crashed(reason) }

  func finished() async -> FinishedRun {
    let step = plan.composed.step
    let exploration = Exploration(eventLimit: Exploration.eventLimit(for: step))
    return await work.finished { [plan, schedule, work] reach in
      exploration.startReplay(schedule, of: step) { replay in
        reach(FinishedRun(plan: plan, replay, stop: work.stop))
      }
    }
  }
}

extension FinishedRun {
  /// The result of a replay, as a finished run.
  ///
  /// - Parameters:
  ///   - replay: nil if it has not ended.
  ///   - stop: the reason why it was stopped, if it was.
  fileprivate init(plan: RunPlan, _ replay: Replay?, stop: StoppableWork<FinishedRun>.Stop?) {
    let trial = replay?.trial
    var result = trial?.result
    if case .crashed(let reason)? = stop { result = .failure(StepFailure(reason)) }
    self.init(
      plan: plan, events: TraceEvents(trial?.events ?? []), result: result, start: .zero,
      end: Instant.zero.advanced(by: trial?.duration ?? .zero),
      isCancelled: stop == .cancelled && trial?.result == nil)
    moments = replay?.moments ?? []
    if let misfit = replay?.misfit { remarks.append(ReplayText.remark(on: misfit)) }
    guard result == nil else { return }
    switch (stop, trial?.ending) {
    case (.cancelled?, _), (.crashed?, _): break
    case (.timeLimit(let limit)?, _):
      couldNotFinish(VirtualExecution.stopped(at: limit))
    case (nil, .limit?):
      couldNotFinish("It ran for more events than a schedule may have.")
    case (nil, _):
      couldNotFinish(VirtualExecution.deadlock)
      if let trial {
        let sentences = StallReport(trial.report, events: trial.events).sentences
        if !sentences.isEmpty { record.stallReasons = sentences }
        remarks += sentences
      }
    }
  }
}
