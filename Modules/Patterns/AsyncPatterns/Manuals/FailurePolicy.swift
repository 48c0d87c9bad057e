/// What a pattern does about a step that fails: what `Law.deliversFailure` holds it to.
public enum FailurePolicy: String, Sendable, Hashable, CaseIterable, Codable {
  /// Nothing starts after the first failure; it is the result once what runs by then has ended.
  case stops
  /// All steps run; the first failure in time is the result once they have ended.
  case waits
  /// The first failure calls off the other steps; it is the result once they have ended.
  case cancels
  /// The first failure is the result at once, whatever else runs by then.
  case failsFast = "fails-fast"
  /// No failure of a step is the pattern's.
  case collects
  /// The step that ends first decides, whether it fails or not.
  case first
  /// The first success is the result; it fails only if all steps do.
  case firstSuccess = "first-success"
  /// A rule of its own, which the discussion tells; it fails at least if every step does.
  case own

  /// Whether a pattern that completes with such an outcome says that all of its steps have ended.
  func promisesAllHaveEnded(after outcome: TraceEvent.Outcome) -> Bool {
    switch self {
    case .waits, .collects: outcome != .cancelled
    case .stops, .cancels, .failsFast: outcome == .success
    case .first, .firstSuccess, .own: false
    }
  }

  /// The policy in a sentence, for people.
  public var summary: String {
    switch self {
    case .stops: "nothing starts after the first; it is the result once what runs has ended."
    case .waits: "all steps run; the first failure in time is the result once they have ended."
    case .cancels: "the first calls off the other steps; it is the result once they have ended."
    case .failsFast: "the first is the result at once, whatever else runs by then."
    case .collects: "no failure of a step is the pattern’s."
    case .first: "the step that ends first decides, whether it fails or not."
    case .firstSuccess: "the first success is the result; it fails only if all steps do."
    case .own: "as told above."
    }
  }
}
