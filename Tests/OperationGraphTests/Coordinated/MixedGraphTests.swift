import AsyncSimulation
import OperationGraph
import PatternTesting
import Testing

/// Tests thousands of random graphs that mix all features.
@Suite struct MixedGraphTests {
  @Test func `in any order of events each operation ends once and as expected`() {
    let report = Exploration(schedules: 1_000 * SearchLength.factor).explore { runtime in
      let box = Locked<MixedRun?>(nil)
      runtime.pool.schedule {
        let seed = UInt64(runtime.choose(4_000)) * 4_000 + UInt64(runtime.choose(4_000))
        let run = MixedRun(
          MixedGraph(seed: seed, isTimed: true), on: runtime, isDisturbed: false)
        box.withLock { $0 = run }
        run.launch(resources: ResourcePool(MixedGraph.limits))
      }
      return { box.withLock { $0 }?.fault }
    }
    #expect(report.violation == nil, "\(report)")
  }

  @Test func `this also holds with cancellations, suspensions and shared resources`() {
    let report = Exploration(schedules: 1_000 * SearchLength.factor).explore { runtime in
      let box = Locked<[MixedRun]>([])
      runtime.pool.schedule {
        let pool = ResourcePool(MixedGraph.limits)
        for _ in 0..<2 {
          let seed = UInt64(runtime.choose(4_000)) * 4_000 + UInt64(runtime.choose(4_000))
          let run = MixedRun(
            MixedGraph(seed: seed, isTimed: true), on: runtime, isDisturbed: true)
          box.withLock { $0.append(run) }
          run.launch(resources: pool)
          Self.disturb(run, runtime)
        }
      }
      return { box.withLock { $0 }.compactMap(\.fault).first }
    }
    #expect(report.violation == nil, "\(report)")
  }

  /// At random times, cancels an operation or the run, or suspends the run for a while.
  private static func disturb(_ run: MixedRun, _ runtime: SimulatedRuntime) {
    let operation = runtime.choose(run.mixed.nodes.count)
    runtime.pool.schedule(after: .ms(runtime.choose(12))) { run.cancel(operation) }
    if runtime.choose(3) == 1 {
      runtime.pool.schedule(after: .ms(runtime.choose(12))) { run.run?.cancel() }
    }
    if runtime.choose(3) == 1 {
      let start = runtime.choose(12)
      runtime.pool.schedule(after: .ms(start)) { run.run?.suspend() }
      runtime.pool.schedule(after: .ms(start + 5)) { run.run?.resume() }
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: [false, true])
  func `this also holds on real threads`(_ isDisturbed: Bool) async {
    let runtime = LiveRuntime(workers: 4)
    for block in 0..<10 * SearchLength.factor {
      var runs: [MixedRun] = []
      for index in 0..<100 {
        let run = MixedRun(
          MixedGraph(seed: UInt64(block * 100 + index), isTimed: false), on: runtime,
          isDisturbed: isDisturbed)
        run.launch(resources: ResourcePool(MixedGraph.limits))
        runs.append(run)
        guard isDisturbed else { continue }
        runtime.pool.schedule { run.cancel(index % run.mixed.nodes.count) }
        if index % 3 == 0 { runtime.pool.schedule { run.run?.cancel() } }
      }
      for run in runs {
        if let running = run.run { _ = try? await running.value }
        #expect(run.fault == nil, "seed \(block * 100)…")
      }
    }
  }
}
