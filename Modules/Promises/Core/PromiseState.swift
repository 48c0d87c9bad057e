/// What a promise knows: whether somebody has the right to settle it, what came of it, and who listens.
///
/// It decides and does nothing else: each method changes the state and returns what the caller is to do
/// once it has let go of the lock. A listener that comes while others are being told waits its turn, so
/// listeners are told in the order they came, always.
struct PromiseState<Success: Sendable, Failure: Error>: Sendable {
  typealias Listener = @Sendable (Result<Success, Failure>) -> Void

  private enum Phase {
    case pending
    /// Somebody is at telling the listeners.
    case delivering(Result<Success, Failure>)
    case settled(Result<Success, Failure>)
  }

  private var phase = Phase.pending
  private var listeners: [Listener] = []
  /// Whether it is settled, or bound to what another promise will come to.
  private(set) var isClaimed = false

  /// - Returns: whether the caller is the one who settles it.
  mutating func claim() -> Bool {
    defer { isClaimed = true }
    return !isClaimed
  }

  /// - Returns: whether the caller is to deliver the result.
  mutating func settle(_ result: Result<Success, Failure>) -> Bool {
    guard case .pending = phase else { return false }
    isClaimed = true
    phase = listeners.isEmpty ? .settled(result) : .delivering(result)
    return !listeners.isEmpty
  }

  /// The listeners to be told now; none means that the delivery is over.
  mutating func nextListeners() -> (Result<Success, Failure>, [Listener])? {
    guard case .delivering(let result) = phase else { return nil }
    guard !listeners.isEmpty else {
      phase = .settled(result)
      return nil
    }
    defer { listeners = [] }
    return (result, listeners)
  }

  /// Keeps `listener` until the promise is settled.
  ///
  /// - Returns: whether the caller is to deliver the result.
  mutating func listen(_ listener: @escaping Listener) -> Bool {
    listeners.append(listener)
    guard case .settled(let result) = phase else { return false }
    phase = .delivering(result)
    return true
  }

  var hasListeners: Bool { !listeners.isEmpty }

  /// Nobody will settle it any more: those who listened in vain.
  mutating func abandon() -> [Listener] {
    defer { listeners = [] }
    return listeners
  }
}
