import AsyncPatterns
import AsyncSimulation
import Composing
import PlaygroundLanguage
import SerialQueuePatterns
import TimingTrace
import WhatIf

/// Records runs on the virtual clock and simulates them.
enum Trial {
  static let patterns: [any AsyncPattern.Type] =
    SerialQueuePlugin.patterns + [
      Together.self, Again.self, First.self, LiveTogether.self, Mixed.self,
    ]

  /// The kernel's steps and `sh`. The first two starts of `sh` fail after 3 ms each; after that it takes 10 ms.
  static func vocabulary() -> Vocabulary {
    let sh = StepKind(
      Manual(
        name: "sh", summary: "", parameters: [Parameter("command", .string, isRequired: true)],
        steps: .none)
    ) { _ in
      let starts = Locked(0)
      return Step("sh") { _, scope in
        let start = starts.withLock { starts in
          starts += 1
          return starts
        }
        if start < 3 {
          try await scope.sleep(for: .milliseconds(3))
          throw StepFailure("no answer \(start)")
        }
        try await scope.sleep(for: .milliseconds(10))
        return .string("output")
      }
    }
    return Vocabulary(steps: StepKind.kernel + [sh]).replacingPatterns(patterns)
  }

  /// The composition that a script runs last.
  static func composed(_ script: String, clock: ClockKind = .virtual) throws -> Composed {
    let source = Source(name: "t.play", text: script)
    var bindings: Bindings = [:]
    var composed: Composed?
    for statement in Parser.parse(source).script.statements {
      var composer = Composer(
        vocabulary: vocabulary(), bindings: bindings, clock: clock, source: source)
      switch statement.kind {
      case .assignment(let name, let expression):
        bindings[name.text] = Binding(expression, in: source, names: bindings)
      case .run(let expression, _): composed = composer.compose(expression)
      case .command, .declaration: break
      }
      if let first = composer.diagnostics.first { throw first }
    }
    guard let composed else { throw StepFailure("“\(script)” runs nothing") }
    return composed
  }

  /// Runs a composition on the virtual clock, and cancels it at `cancelAt`.
  static func run(
    _ composed: Composed, workers: Int = 4, seed: UInt64 = 0, cancelAt: Duration? = nil
  ) -> SavedRun {
    let recorder = Recorder(clock: .virtual)
    let runtime = SimulatedRuntime(workers: workers, seed: seed, trace: recorder)
    let settled = Locked<Result<Value, any Error>?>(nil)
    let run = Run(composed.step, on: runtime) { result in settled.withLock { $0 = result } }
    if let cancelAt { runtime.main.schedule(after: cancelAt) { run.cancel() } }
    runtime.runUntilIdle()
    let events = recorder.snapshot()
    let record = RunRecord(
      events: events, name: composed.name, pattern: composed.pattern, clock: .virtual, seed: seed,
      result: settled.withLock { $0 })
    if record.outcome == .unfinished { run.cancel() }
    return SavedRun(
      name: composed.name, source: composed.source, composition: "", script: composed.script,
      workers: workers, record: record, events: events)
  }

  static func recorded(_ script: String, workers: Int = 4, seed: UInt64 = 0) throws -> SavedRun {
    run(try composed(script), workers: workers, seed: seed)
  }

  /// Simulates a recorded run with factors.
  static func simulated(
    _ run: SavedRun, _ scales: [String: Double] = [:], workers: Int? = nil
  ) throws -> (record: RunRecord, assumptions: [String]) {
    let recording = try Recording(run, vocabulary: vocabulary())
    let scales = scales.sorted { $0.key < $1.key }.map {
      Scale($0.key.split(separator: "/").map(String.init), by: $0.value)
    }
    let (composed, ledger) = recording.simulation(scales, called: run.name)
    let again = Trial.run(
      composed, workers: workers ?? run.workers ?? 4, seed: run.record.seed)
    return (again.record, ledger.assumptions)
  }
}
