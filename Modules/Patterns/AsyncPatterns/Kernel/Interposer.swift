/// Stands between a run and the steps it is made of: how a test sees, and disturbs, what patterns do.
public protocol Interposer: AnyObject, Sendable {
  /// A pattern, or the run itself, asks for a start of a step.
  ///
  /// - Parameters:
  ///   - label: the step's.
  ///   - span: whose code asks; `.none` for the run itself, and without a trace.
  ///   - isCancelled: whether the scope it asks has been cancelled by then.
  func willStart(_ label: String, in span: Span, isCancelled: Bool)

  /// What to do to a step, not made of others, that is about to start.
  func fault(in label: String) -> Fault?
}

/// What is done to a step.
public enum Fault: Sendable {
  /// It fails at once, in the place of what it would do.
  case failure(any Error)
  /// Its completion is handed over, to be called later.
  case lateness(@Sendable (@escaping @Sendable () -> Void) -> Void)
}
