import AsyncPatterns

/// Work whose code may crash. It can end without the thread that crashed, which is blocked from then on.
protocol CrashReceiver: Cancellable {
  /// Ends the work as failed.
  ///
  /// - Parameter reason: what crashed and where, as the error of a run.
  func crashed(_ reason: String)
}
