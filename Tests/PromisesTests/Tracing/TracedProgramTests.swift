import AsyncSimulation
import Promises
import Testing
import TimingTrace

/// Random programs of all operators on a runtime that has a trace.
@Suite struct TracedProgramTests {
  @Test(arguments: 0..<4 as Range<UInt64>, [true, false])
  func `a trace changes nothing, and each chain ends once`(_ part: UInt64, _ adopts: Bool) {
    for seed in part * 25..<(part + 1) * 25 {
      let program = Program(seed: seed, adoptsOften: adopts)
      let recording = ChainRecording(seed: seed)
      let difference = Expectation(program, canCancel: true)
        .difference(run(program, on: recording.runtime))
      #expect(difference == nil, "program \(seed)\n\(program)")
      check(recording.recorder.snapshot(), "program \(seed)\n\(program)")
    }
  }

  private func run(_ program: Program, on runtime: SimulatedRuntime) -> ModelRun.Result {
    let places: [Placement] = [
      .main, .pool, .scheduler(runtime.serial("one")), .inline, .scheduler(runtime.serial("two")),
    ]
    let run = ProgramRun(program, runtime, at: places) { $0 as any Error }
    for (index, action) in program.actions.enumerated() {
      runtime.main.schedule(after: .milliseconds(index + 1)) { run.perform(action) }
    }
    runtime.runUntilIdle()
    let result = run.finish()
    run.perform(.drop)
    runtime.runUntilIdle()
    return result
  }

  private func check(_ events: [TraceEvent], _ program: String) {
    var open: Set<Span> = []
    var started: Set<Span> = []
    for event in events {
      switch event.kind {
      case .submitted: #expect(open.insert(event.span).inserted, "\(program)")
      case .started: #expect(started.insert(event.span).inserted, "\(program)")
      case .finished: #expect(open.remove(event.span) != nil, "\(program)")
      default: break
      }
    }
    #expect(!started.isEmpty && open.isEmpty, "\(open.count) have not ended: \(program)")
  }
}
