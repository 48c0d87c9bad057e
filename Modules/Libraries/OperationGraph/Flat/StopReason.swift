/// Why a flat run starts nothing more.
struct StopReason: Sendable {
  let error: any Error
  /// Whether the run had been called off by then.
  let isLate: Bool
  /// Whether something did not start that would have.
  var hasLeftSome = false

  /// What the run has come to: what failed after the run was called off counts only if all had started.
  var outcome: any Error { isLate && hasLeftSome ? CancellationError() : error }
}
