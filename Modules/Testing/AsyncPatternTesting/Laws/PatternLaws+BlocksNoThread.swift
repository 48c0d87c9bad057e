import AsyncPatterns
import AsyncSimulation

extension PatternLaws {
  /// The pattern blocks no thread, as long as no step blocks one.
  public func blocksNoThread() async -> LawVerdict {
    var workloads = Workloads(for: manual)
    workloads.add(behaviour: Workloads.mixed)
    workloads.add(nil, .cancel, .failure, behaviour: Workloads.longer)
    workloads.add(of: 7, behaviour: Workloads.mixed)
    workloads.add(behaviour: Workloads.alike)
    workloads.add { index, _ in .works(Workloads.time(index)) }
    workloads.add(behaviour: Workloads.immediate)
    workloads.add(behaviour: Workloads.rogue)
    return await search(
      .blocksNoThread, workloads,
      Property(isRecording: true) { trial, _ in
        guard let blocked = trial.events.first(where: { $0.kind == .blocked }) else { return nil }
        let lane = blocked.lane == .main ? "main" : "pool-\(blocked.lane.number)"
        return Finding("blocks no thread", "\(lane) was blocked from \(blocked.time) on")
      })
  }
}
