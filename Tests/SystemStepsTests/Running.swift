import AsyncPatterns
import SystemSteps

func run(_ step: Step, input: Value = .none) async -> Result<Value, any Error> {
  await withCheckedContinuation { continuation in
    Run(step, input: input, on: LiveRuntime.shared) { continuation.resume(returning: $0) }
  }
}

/// The reason why `result` failed, or nil.
func reason(_ result: Result<Value, any Error>) -> String? {
  guard case .failure(let failure as StepFailure) = result else { return nil }
  return failure.reason
}
