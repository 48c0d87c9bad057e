/// The behaviour of a pattern when one of its steps fails. `Law.deliversFailure` checks it.
public enum FailureBehavior: String, Sendable, Hashable, CaseIterable {
  /// No step starts after the first failure. That failure is the result, once the running steps have ended.
  case stops
  /// All steps run. The first failure in time is the result, once all have ended.
  case waits
  /// The first failure cancels the other steps. It is the result, once they have ended.
  case cancels
  /// The first failure is the result immediately, even if other steps still run.
  case failsFast = "fails-fast"
  /// No failure of a step makes the pattern fail.
  case collects
  /// The step that ends first decides, whether it fails or not.
  case first
  /// The first success is the result. The pattern fails only if all steps fail.
  case firstSuccess = "first-success"
  /// The pattern's own rule, which its manual describes. The pattern fails at least if every step fails.
  case own

  /// Whether a pattern that completes with that outcome promises that all its steps have ended.
  func promisesAllHaveEnded(after outcome: TraceEvent.Outcome) -> Bool {
    switch self {
    case .waits, .collects: outcome != .cancelled
    case .stops, .cancels, .failsFast: outcome == .success
    case .first, .firstSuccess, .own: false
    }
  }

  /// A sentence about the behaviour, for people.
  public var summary: String {
    switch self {
    case .stops:
      "no step starts after the first failure, which is the result once running steps have ended."
    case .waits:
      "only steps that depend on a failed one do not run; the first failure in time is the result "
        + "once the others have ended."
    case .cancels:
      "the first failure cancels the other steps, and is the result once they have ended."
    case .failsFast:
      "the first failure is the result immediately, even if other steps still run."
    case .collects: "no failure of a step makes the pattern fail."
    case .first: "the step that ends first decides, whether it fails or not."
    case .firstSuccess:
      "the first success is the result; the pattern fails only if all steps do."
    case .own: "as described above."
    }
  }
}
