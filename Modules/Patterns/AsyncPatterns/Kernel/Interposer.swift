/// Intercepts the starts of steps in a run. Tests use it to observe and disturb patterns.
public protocol Interposer: AnyObject, Sendable {
  /// Called when a pattern, or the run itself, starts a step.
  ///
  /// - Parameters:
  ///   - label: the label of the step.
  ///   - span: the span whose code starts the step; `.none` for the run itself, or if there is no trace.
  ///   - isCancelled: whether the scope has already been cancelled.
  func willStart(_ label: String, in span: Span, isCancelled: Bool)

  /// The fault to inject into a step that is about to start; nil for none. This method is not called for patterns.
  func fault(in label: String) -> Fault?
}

/// A fault that is injected into a step.
public enum Fault: Sendable {
  /// The step fails immediately instead of running.
  case failure(any Error)
  /// The step's completion is not called at its end. Instead, this closure receives a closure that calls the completion
  /// later.
  case lateness(@Sendable (@escaping @Sendable () -> Void) -> Void)
}
