import AsyncPatterns
import AsyncSimulation

extension PatternLaws {
  /// The pattern completes exactly once. That also holds without steps, and wherever the run is cancelled. It holds
  /// when steps fail, are late, complete twice or do not complete.
  ///
  /// The pattern need not complete while one of its steps does not complete.
  public func completesExactlyOnce() async -> LawVerdict {
    var workloads = Workloads(for: manual)
    workloads.add(behaviour: Workloads.mixed)
    workloads.add(nil, .cancel, .failure, .lateness, behaviour: Workloads.longer)
    workloads.add(of: 0, behaviour: Workloads.longer)
    workloads.add(of: 1, nil, .cancel, behaviour: Workloads.longer)
    workloads.add(of: 7, nil, .cancel, behaviour: Workloads.mixed)
    workloads.add(nil, .cancel, behaviour: Workloads.immediate)
    workloads.add(nil, .cancel, .failure, behaviour: Workloads.alike)
    workloads.add(nil, .cancel, .lateness, behaviour: Workloads.rogue)
    workloads.add { _, _ in .completesTwiceImmediately }
    workloads.add { _, _ in .completesTwice(2) }
    workloads.add { index, _ in index == 0 ? .forgets : .sleeps(Workloads.time(index)) }
    workloads.add { _, _ in .failsImmediately }
    workloads.add { index, _ in .fails(after: Workloads.time(index)) }
    workloads.add(.cancel, behaviour: Workloads.obstinate)
    workloads.add(.cancel) { index, _ in index == 0 ? .never : .sleeps(Workloads.time(index)) }
    return await search(
      .completesExactlyOnce, workloads,
      Property(isRecording: true) { trial, _ in
        completion(in: trial)
      })
  }
}

/// The finding that the pattern completes more than once, or not at all.
private func completion(in trial: Trial) -> Finding? {
  let property = "completes exactly once"
  let observation = Observation(trial.events)
  if observation.ownMisuse.contains("completed-twice") {
    return Finding(property, "the pattern called its completion again")
  }
  if observation.ownMisuse.contains("completion-dropped") {
    return Finding(property, "the pattern released its completion without calling it")
  }
  guard observation.end == nil, let reason = trial.unfinished() else { return nil }
  if trial.ending == .limit {
    return Finding(property, "the pattern does not end: \(reason.detail)")
  }
  // The pattern may be waiting for a step, which is correct.
  guard observation.open.isEmpty else { return nil }
  return Finding(property, "the pattern never completed: \(reason.detail)")
}
