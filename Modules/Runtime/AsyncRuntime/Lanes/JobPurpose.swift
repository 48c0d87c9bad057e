/// What a scheduled job is for.
public enum JobPurpose: Sendable {
  /// The code of a span.
  case code
  /// To start a step.
  case start
  /// To end a step, and nothing else.
  case end
}
