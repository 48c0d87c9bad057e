import AsyncPatterns

/// Work whose code may crash. It can end without the thread that crashed, which is blocked from then on.
protocol CrashReceiver: Cancellable {
  /// What runs in this process. Nil if another process runs it.
  var stepInThisProcess: Step? { get }

  /// Whether it has ended, so that a crash can no longer end it.
  var hasEnded: Bool { get }

  /// Ends the work as failed.
  ///
  /// - Parameter reason: what crashed and where, as the error of a run.
  func crashed(_ reason: String)
}
