@_exported import PatternTesting
import Promises

/// Runs steps under a pattern of this module on the virtual clock until nothing is left to do.
func simulate(
  _ pattern: String, _ steps: [Step], input: Value = .none, cancelAt: Duration? = nil
) throws -> Outcome {
  try simulate(pattern, of: PromisesPlugin.self, steps, input: input, cancelAt: cancelAt)
}

extension Promise {
  /// The value, if it has one by now.
  var fulfilled: Success? {
    if case .success(let value)? = current { value } else { nil }
  }

  /// The error, if it has failed by now.
  var rejectedError: Failure? {
    if case .failure(let error)? = current { error } else { nil }
  }
}
