import AsyncPatterns
import AsyncSimulation

extension PatternLaws {
  /// The pattern starts no step twice, even when steps fail or complete twice.
  public func startsNoStepTwice() async -> LawVerdict {
    var workloads = Workloads(for: manual)
    workloads.add(behaviour: Workloads.mixed)
    workloads.add(nil, .cancel, .failure, .lateness, behaviour: Workloads.longer)
    workloads.add(of: 7, behaviour: Workloads.mixed)
    workloads.add(behaviour: Workloads.immediate)
    workloads.add(nil, .failure, behaviour: Workloads.alike)
    workloads.add(behaviour: Workloads.rogue)
    workloads.add { _, _ in .completesTwiceImmediately }
    workloads.add { _, _ in .completesTwice(2) }
    workloads.add { index, _ in index == 0 ? .forgets : .sleeps(Workloads.time(index)) }
    workloads.add { _, _ in .failsImmediately }
    workloads.add { index, _ in .fails(after: Workloads.time(index)) }
    return await search(
      .startsNoStepTwice, workloads,
      Property(isWatchingStarts: true) { trial, workload in
        let repeated = trial.starts.filter { workload.labels.contains($0.key) && $0.value > 1 }
        guard let (label, count) = repeated.min(by: { $0.key < $1.key }) else { return nil }
        return Finding("starts no step twice", "the pattern started “\(label)” \(count) times")
      })
  }
}
