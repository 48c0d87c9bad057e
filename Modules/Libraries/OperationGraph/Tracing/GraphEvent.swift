/// An event of a run, for its observers or for the trace of its runtime.
enum GraphEvent: Sendable {
  case started(Int32, attempt: Int)
  case failedAttempt(Int32, attempt: Int, any Error)
  case finished(Int32, Ending)

  // For the trace alone.

  /// The operations from an index on have been added while the run was under way.
  case added(from: Int)
  /// It may start once more.
  case readyAgain(Int32)
  /// The delay before its next attempt has ended.
  case delayEnded(Int32)
  /// The end of the first counts with the other, which comes after it.
  case counted(Int32, with: Int32)
  /// The end of the first has left its place, or what else it held, to the other, which had been ready.
  case passedPlace(from: Int32, to: Int32)
}
