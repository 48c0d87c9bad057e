import PatternTesting
import PromisesPatterns

/// Runs steps under a pattern of Promises on the virtual clock until no work is left.
func simulate(
  _ pattern: String, _ steps: [Step], input: Value = .none, cancelAt: Duration? = nil
) throws -> Outcome {
  try simulate(pattern, of: PromisesPlugin.self, steps, input: input, cancelAt: cancelAt)
}
