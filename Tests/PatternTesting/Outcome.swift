public import AsyncSimulation

/// The outcome of a run on the virtual clock.
public struct Outcome {
  public let results: [Result<Value, any Error>]
  public let recording: Recording

  public var value: Value? { try? results.first?.get() }
  public var error: (any Error)? {
    if case .failure(let error)? = results.first { error } else { nil }
  }
}

/// Runs steps under a pattern of a plugin on the virtual clock until no work is left.
///
/// - Parameter arguments: the arguments; missing ones get the defaults of the manual.
public func simulate(
  _ pattern: String, of plugin: any Plugin.Type, _ steps: [Step], with arguments: Arguments = [:],
  input: Value = .none, workers: Int = 4, seed: UInt64 = 0, cancelAt: Duration? = nil
) throws -> Outcome {
  guard let type = plugin.patterns.first(where: { $0.manual.name == pattern }) else {
    throw StepFailure("\(plugin.name) has no pattern “\(pattern)”")
  }
  let recording = Recording()
  let runtime = SimulatedRuntime(workers: workers, seed: seed, trace: recording)
  let results = Locked<[Result<Value, any Error>]>([])
  let written = arguments.names.map { (name: String?.some($0), value: arguments[$0] ?? .none) }
  let pattern = try type.init(type.manual.resolve(written))
  let step = Step("whole", pattern: pattern, steps: steps)
  let run = Run(step, input: input, on: runtime) { result in
    results.withLock { $0.append(result) }
  }
  if let cancelAt { runtime.pool.schedule(after: cancelAt) { run.cancel() } }
  runtime.runUntilIdle()
  return Outcome(results: results.withLock { $0 }, recording: recording)
}
