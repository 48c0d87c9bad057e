import Synchronization

/// A wait that can be cancelled. A timer and the cancellation of the scope race to end it, and the winner cancels the
/// other.
final class CancellableWait: Cancellable, @unchecked Sendable {
  // Safe to share: `source` and `handler` are written before `phase` becomes `armed`. They are read only by the thread
  // that changes `phase` from `armed` to `over`. If `phase` never becomes `armed`, only the thread that wrote them
  // reads them. For the same reason, accesses to them need no exclusivity check at run time.
  private enum Phase: UInt8, AtomicRepresentable {
    case beginning, armed, over
  }

  private let phase = Atomic(Phase.beginning)
  /// The result if the wait is not cancelled.
  private let result: Result<Value, any Error>
  private let completion: Completion
  private let cancellation: Cancellation
  @exclusivity(unchecked) private var source: (any Cancellable)?
  /// The number that identifies this wait among the handlers of the cancellation.
  @exclusivity(unchecked) private var handler: UInt64?

  private init(
    _ result: Result<Value, any Error>, _ cancellation: Cancellation,
    _ completion: @escaping Completion
  ) {
    self.result = result
    self.cancellation = cancellation
    self.completion = completion
  }

  /// - Parameters:
  ///   - result: the result if the wait is not cancelled.
  ///   - startSource: starts the source that ends the wait by calling `end` on it.
  static func begin(
    with result: Result<Value, any Error>, in scope: Scope, completion: @escaping Completion,
    startSource: (CancellableWait) -> (any Cancellable)?
  ) {
    let wait = CancellableWait(result, scope.cancellation, completion)
    wait.source = startSource(wait)
    wait.handler = wait.cancellation.add(wait)
    let (isArmed, _) = wait.phase.compareExchange(
      expected: .beginning, desired: .armed, ordering: .acquiringAndReleasing)
    if !isArmed {
      // The wait ended in the meantime, before the code that ended it could see both `source` and `handler`.
      wait.source?.cancel()
      wait.stopListening()
    }
  }

  /// Ends the wait with its result.
  func end() {
    switch phase.exchange(.over, ordering: .acquiringAndReleasing) {
    case .over: return
    case .armed: stopListening()
    case .beginning: break
    }
    completion(result)
  }

  /// Ends the wait with a `CancellationError`, because the scope was cancelled.
  func cancel() {
    switch phase.exchange(.over, ordering: .acquiringAndReleasing) {
    case .over: return
    case .armed: source?.cancel()
    case .beginning: break
    }
    completion(.failure(CancellationError()))
  }

  private func stopListening() { if let handler { cancellation.remove(handler) } }
}
