/// The reason why a flat run starts no more operations.
struct StopReason: Sendable {
  let error: any Error
  /// Whether the run had already been cancelled.
  let isLate: Bool
  /// Whether an operation did not start because of this.
  var hasLeftSome = false

  /// The error of the run. A failure after the run was cancelled counts only if all operations had started.
  var outcome: any Error { isLate && hasLeftSome ? CancellationError() : error }
}
