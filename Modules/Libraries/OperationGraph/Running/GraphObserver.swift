/// An object that is notified of the events of a run.
///
/// Calls do not overlap. They are made in the order of the events and under no lock. The start of each operation comes
/// before its end, and the end of the run comes last. A call may be made a little after its event, so an operation may
/// already be running when its start is reported. Calls are made on the thread where the event occurred, or on the
/// thread that is reporting another event at that time. A slow observer therefore delays the work of that thread. The
/// run's completion is called after the last call.
public protocol GraphObserver: Sendable {
  /// An attempt of an operation starts.
  func operationStarted(_ operation: GraphOperation, attempt: Int)
  /// An attempt failed, and another one follows.
  func operationWillRetry(_ operation: GraphOperation, after attempt: Int, _ error: any Error)
  /// An operation ended, whether it ran or not.
  func operationFinished(_ operation: GraphOperation, _ state: OperationState)
  /// The run ended: no operation is in flight.
  func runFinished(_ result: Result<GraphResult, any Error>)
}

extension GraphObserver {
  public func operationStarted(_ operation: GraphOperation, attempt: Int) {}
  public func operationWillRetry(
    _ operation: GraphOperation, after attempt: Int, _ error: any Error
  ) {}
  public func operationFinished(_ operation: GraphOperation, _ state: OperationState) {}
  public func runFinished(_ result: Result<GraphResult, any Error>) {}
}

/// An operation, as reported to the observers of a run.
public struct GraphOperation: Hashable, Sendable {
  /// Its position in the order of adding, starting at 0.
  public let index: Int
  /// Its name in reports.
  public let name: String

  /// Whether a handle refers to this operation.
  public func isSame<Value>(as operation: OperationGraph.Operation<Value>) -> Bool {
    operation.index == Int32(index)
  }
}

/// The state of an operation in a run.
public enum OperationState: Sendable {
  /// It waits for its predecessors, or for its next attempt.
  case waiting
  /// It waits for a place, a worker, or resources.
  case ready
  case running
  case succeeded
  case failed(any Error)
  case cancelled
  case skipped

  init(_ phase: OperationPhase) {
    self =
      switch phase {
      case .waiting, .asking, .delayed: .waiting
      case .ready, .starting: .ready
      case .running: .running
      case .ended(let ending): OperationState(ending)
      }
  }

  init(_ ending: Ending) {
    self =
      switch ending {
      case .succeeded: .succeeded
      case .failed(let error): .failed(error)
      case .cancelled: .cancelled
      case .skipped: .skipped
      }
  }
}

extension OperationState: CustomStringConvertible {
  public var description: String {
    switch self {
    case .waiting: "waiting"
    case .ready: "ready"
    case .running: "running"
    case .succeeded: "succeeded"
    case .failed(let error): "failed: \(error)"
    case .cancelled: "cancelled"
    case .skipped: "skipped"
    }
  }
}

/// The times of an operation's events, on the clock of the runtime.
public struct OperationRecord: Hashable, Sendable {
  /// When it became ready; nil if it never did.
  public internal(set) var ready: Instant?
  /// When its first attempt started; nil if it never did.
  public internal(set) var started: Instant?
  /// When it ended, whether it ran or not.
  public internal(set) var finished: Instant?
  /// The number of attempts.
  public internal(set) var attempts = 0
}
