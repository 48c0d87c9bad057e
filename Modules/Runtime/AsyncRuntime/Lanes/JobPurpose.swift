/// What a scheduled job is for.
public enum JobPurpose: Sendable {
  /// The code of a span.
  case code
  /// To start a step.
  case start
  /// To end a step, and nothing else.
  case end
  /// The asynchronous function of a span: the task that runs it represents the span.
  case body
}
