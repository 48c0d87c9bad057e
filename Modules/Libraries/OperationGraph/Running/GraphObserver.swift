/// Somebody who is told what happens in a run.
///
/// Calls come one at a time, in the order in which things happened, under no lock; each operation's start
/// before its end, and the end of the run last. A call may come a little after what it tells of: an operation
/// may run by then. It comes on the thread on which that happened, or on the one that is telling something
/// else just then; so whoever takes long holds up what that thread does. The run's completion is called after
/// the last call.
public protocol GraphObserver: Sendable {
  /// An attempt of an operation starts.
  func operationStarted(_ operation: GraphOperation, attempt: Int)
  /// An attempt has failed, and another one follows.
  func operationWillRetry(_ operation: GraphOperation, after attempt: Int, _ error: any Error)
  /// An operation has come to its end, whether it ran or not.
  func operationFinished(_ operation: GraphOperation, _ state: OperationState)
  /// Nothing is in flight any more.
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

/// An operation, as those who observe a run are told of it.
public struct GraphOperation: Hashable, Sendable {
  /// Its place in the order of adding, from 0 on.
  public let index: Int
  /// What reports call it.
  public let name: String

  /// Whether it is the one that a handle stands for.
  public func isSame<Value>(as operation: OperationGraph.Operation<Value>) -> Bool {
    operation.index == Int32(index)
  }
}

/// How far an operation has come.
public enum OperationState: Sendable {
  /// For those it comes after, or for the time of its next attempt.
  case waiting
  /// For a place, a worker, or resources.
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

/// When something happened to an operation, on the clock of the runtime.
public struct OperationRecord: Hashable, Sendable {
  /// It could have started; nil if it never could.
  public internal(set) var ready: Instant?
  /// Its first attempt started; nil if it never did.
  public internal(set) var started: Instant?
  /// It came to its end, whether it ran or not.
  public internal(set) var finished: Instant?
  /// How many times it started.
  public internal(set) var attempts = 0
}
