import AsyncPatterns
import AsyncSimulation

extension PatternLaws {
  /// When the pattern has completed and its steps have ended, nothing of it is left. There is no timer, no permit that
  /// was not given back, no thread that waits for a permit, and no hold on the run. There is also no action for the end
  /// of a turn of the run loop.
  public func leavesNothingBehind() async -> LawVerdict {
    var workloads = Workloads(for: manual)
    workloads.add(behaviour: Workloads.mixed)
    workloads.add(nil, .cancel, .failure, .lateness, behaviour: Workloads.longer)
    workloads.add(of: 0, behaviour: Workloads.longer)
    workloads.add(of: 7, nil, .cancel, behaviour: Workloads.longer)
    workloads.add(nil, .cancel, behaviour: Workloads.immediate)
    workloads.add(nil, .cancel, .failure, behaviour: Workloads.alike)
    workloads.add(behaviour: Workloads.rogue)
    workloads.add { _, _ in .completesTwiceImmediately }
    workloads.add { index, _ in index == 0 ? .forgets : .sleeps(Workloads.time(index)) }
    workloads.add { _, _ in .failsImmediately }
    workloads.add { index, count in
      index == 0 && count > 1 ? .fails(after: 1) : .sleeps(Workloads.time(index))
    }
    workloads.add(.cancel, behaviour: Workloads.obstinate)
    workloads.add(.cancel) { index, _ in index == 0 ? .never : .sleeps(Workloads.time(index)) }
    return await search(
      .leavesNothingBehind, workloads,
      Property(isRecording: true) { trial, _ in
        remains(of: trial).map { Finding("leaves nothing behind", $0) }
      })
  }
}

/// What is left of a run that has ended.
private func remains(of trial: Trial) -> String? {
  let report = trial.report
  guard trial.result != nil else {
    let observation = Observation(trial.events)
    guard observation.end != nil, observation.open.isEmpty else { return nil }
    return trial.ending == .limit
      ? "the pattern keeps running although it has completed"
      : "the pattern holds the run open although it has completed"
  }
  if let waiter = report.waiters.first { return "\(waiter)" }
  if report.missingPermits > 0 {
    return report.missingPermits == 1
      ? "a permit of the pattern’s semaphores was not returned"
      : "\(report.missingPermits) permits of the pattern’s semaphores were not returned"
  }
  if report.endOfTurnActions > 0 {
    return report.endOfTurnActions == 1
      ? "an action of the pattern still runs at the end of each turn"
      : "\(report.endOfTurnActions) actions of the pattern still run at the end of each turn"
  }
  if trial.duration > trial.makespan {
    return "one of the pattern’s timers fired at \(trial.duration.shortDescription), although "
      + "the pattern had completed at \(trial.makespan.shortDescription)"
  }
  if !report.unfinishedAsynchronousBodies.isEmpty {
    return "an asynchronous function has not returned"
  }
  return nil
}
