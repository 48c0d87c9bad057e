import AsyncPatterns
import AsyncSimulation

extension PatternLaws {
  /// Once its scope is cancelled, the pattern does not request the start of any step, even when a step ignores the
  /// cancellation and succeeds.
  ///
  /// The kernel starts no step after the cancellation. But a pattern that still makes such requests goes through all
  /// its steps when it should stop.
  public func startsNothingAfterCancellation() async -> LawVerdict {
    var workloads = Workloads(for: manual)
    workloads.add(.cancel, behaviour: Workloads.obstinate)
    workloads.add(.cancel, behaviour: Workloads.mixed)
    workloads.add(of: 7, .cancel, behaviour: Workloads.obstinate)
    workloads.add(nil, .cancel, behaviour: Workloads.longer)
    workloads.add(nil, .cancel, behaviour: Workloads.alike)
    workloads.add(.cancel, behaviour: Workloads.immediate)
    workloads.add(nil, .cancel) { index, _ in .fails(after: Workloads.time(index)) }
    workloads.add(.cancel) { index, _ in index == 0 ? .never : .sleeps(Workloads.time(index)) }
    return await search(
      .startsNothingAfterCancellation, workloads,
      Property(isWatchingStarts: true) { trial, workload in
        guard let late = trial.lateStarts.first(where: workload.labels.contains) else { return nil }
        return Finding(
          "starts nothing after cancellation",
          "the pattern requested the start of “\(late)” after its scope "
            + "had been cancelled")
      })
  }
}
