/// The phase of an operation in a run.
enum OperationPhase: Sendable {
  /// It waits for others to end.
  case waiting
  /// Its condition is being evaluated.
  case asking
  /// It waits for a place, a worker, or resources.
  case ready
  /// It has a place and is about to start.
  case starting
  case running(Attempt)
  /// It waits for its next attempt.
  case delayed(timer: (any Cancellable)?)
  case ended(Ending)

  /// A running attempt. Its end takes effect only once the code that started it has also returned.
  struct Attempt: Sendable {
    var stage = Stage.started
    /// Cancels the attempt; nil for a function that ends when it returns.
    let cancellation: Cancellation?
    /// The timer of its timeout.
    var timer: (any Cancellable)?
    /// Whether the operation was cancelled, rather than the run.
    var isCancelled = false

    enum Stage: Sendable {
      case started
      /// The attempt ended before the code that started it returned.
      case ended((any Error)?)
      case returned
    }
  }
}
