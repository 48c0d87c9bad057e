import Synchronization

/// A wait for something that can be called off: a timer and the cancellation of its scope race to end
/// it, and the loser is told.
final class CancellableWait: Cancellable, @unchecked Sendable {
  // Safe to share: `source` and `handler` are written before `phase` becomes `armed`, and read only by
  // the one who finds it so and makes it `over`. So accesses need no dynamic check either.
  private enum Phase: UInt8, AtomicRepresentable {
    case beginning, armed, over
  }

  private let phase = Atomic(Phase.beginning)
  /// What it ends with if nobody calls it off.
  private let result: Result<Value, any Error>
  private let completion: Completion
  private let cancellation: Cancellation
  @exclusivity(unchecked) private var source: (any Cancellable)?
  /// The number of the handler at the cancellation.
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
  ///   - result: what it ends with if nobody calls it off.
  ///   - startSource: starts what ends the wait, by calling `end` on it.
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
      // It has ended meanwhile, and whoever ended it could not see both.
      wait.source?.cancel()
      wait.stopListening()
    }
  }

  /// What was waited for has come.
  func end() {
    switch phase.exchange(.over, ordering: .acquiringAndReleasing) {
    case .over: return
    case .armed: stopListening()
    case .beginning: break
    }
    completion(result)
  }

  /// The scope has been cancelled.
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
