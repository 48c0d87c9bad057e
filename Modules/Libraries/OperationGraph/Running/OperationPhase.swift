/// How far an operation has come.
enum OperationPhase: Sendable {
  /// It waits for others to end.
  case waiting
  /// Its condition is being asked.
  case asking
  /// It waits for a place, a worker, or resources.
  case ready
  /// It has a place and is about to start.
  case starting
  case running(Attempt)
  /// It waits for its next attempt.
  case delayed(timer: (any Cancellable)?)
  case ended(Ending)

  /// A running attempt. Its end counts when the code that started it has returned, too.
  struct Attempt: Sendable {
    var stage = Stage.started
    /// Cancels the attempt; nil for a function that ends when it returns.
    let cancellation: Cancellation?
    /// Of its timeout.
    var timer: (any Cancellable)?
    /// Whether the operation was cancelled, and not the run.
    var isCancelled = false

    enum Stage: Sendable {
      case started
      /// It has ended before the code that started it has returned.
      case ended((any Error)?)
      case returned
    }
  }
}
