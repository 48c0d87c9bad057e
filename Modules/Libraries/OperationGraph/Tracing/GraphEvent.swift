/// An event of a run, for its observers or for the trace of its runtime.
enum GraphEvent: Sendable {
  case started(Int32, attempt: Int)
  case failedAttempt(Int32, attempt: Int, any Error)
  case finished(Int32, Ending)

  // For the trace only.

  /// The operations from an index on were added while the graph ran.
  case added(from: Int)
  /// The operation is ready for another attempt.
  case readyAgain(Int32)
  /// The delay before the operation's next attempt has ended.
  case delayEnded(Int32)
  /// The end of the first operation counts for the second, which is its successor.
  case counted(Int32, with: Int32)
  /// The first operation freed its place or its resources for the second, which was already ready.
  case passedPlace(from: Int32, to: Int32)
}
