internal import AsyncRuntime

/// Delivers the events of a run to its observers and to the trace of its runtime. Deliveries are
/// made in order, one at a time, and never under a lock.
final class EventDelivery: Sendable {
  typealias Message = @Sendable (any GraphObserver) -> Void

  private struct State: Sendable {
    var messages: [@Sendable () -> Void] = []
    var isDelivering = false
    /// Called when all messages have been delivered.
    var last: (@Sendable () -> Void)?
  }

  private let observers: [any GraphObserver]
  private let state = Locked(State())

  init(_ observers: [any GraphObserver]) { self.observers = observers }

  /// Whether events are delivered to observers, and not only to the trace.
  var hasObservers: Bool { !observers.isEmpty }

  /// Adds messages for the observers. Until the run has ended, the caller must hold the run's lock, so that the
  /// messages are in the order of the events.
  func append(_ messages: [Message]) {
    guard !observers.isEmpty else { return }
    let all = messages.map { [observers] message in
      { @Sendable () -> Void in for observer in observers { message(observer) } }
    }
    state.withLock { $0.messages += all }
  }

  /// Adds a message for the trace. The caller must hold the run's lock, as for messages to observers.
  func append(_ message: @escaping @Sendable () -> Void) {
    state.withLock { $0.messages.append(message) }
  }

  /// Delivers all messages. If another thread is delivering, that thread delivers these too.
  ///
  /// - Parameter last: called when all messages have been delivered; passed only once.
  func deliver(then last: (@Sendable () -> Void)? = nil) {
    let isFree = state.withLock { state in
      if let last { state.last = last }
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    guard isFree else { return }
    while true {
      let (messages, last) = state.withLock {
        state -> ([@Sendable () -> Void], (@Sendable () -> Void)?) in
        defer { state.messages = [] }
        guard state.messages.isEmpty else { return (state.messages, nil) }
        state.isDelivering = false
        return ([], state.last.take())
      }
      guard !messages.isEmpty else {
        last?()
        return
      }
      for message in messages { message() }
    }
  }
}
