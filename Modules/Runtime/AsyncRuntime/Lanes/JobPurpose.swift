/// The purpose of a scheduled job.
public enum JobPurpose: Sendable {
  /// To run code of a span.
  case code
  /// To start a step.
  case start
  /// To end a step, and nothing else.
  case end
  /// To run the asynchronous function of a span. The task that runs it represents the span.
  case body
}
