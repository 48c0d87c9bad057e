internal import AsyncRuntime

/// Tells those who observe a run and the trace of its runtime what happens, one thing at a time and in order, and
/// never under a lock.
final class EventDelivery: Sendable {
  typealias Message = @Sendable (any GraphObserver) -> Void

  private struct State: Sendable {
    var messages: [@Sendable () -> Void] = []
    var isDelivering = false
    /// What is to be done when everything has been told.
    var last: (@Sendable () -> Void)?
  }

  private let observers: [any GraphObserver]
  private let state = Locked(State())

  init(_ observers: [any GraphObserver]) { self.observers = observers }

  /// Whether anybody but the trace is told.
  var hasObservers: Bool { !observers.isEmpty }

  /// Called by who holds the run's lock, so that the order is that of what happened.
  func append(_ messages: [Message]) {
    guard !observers.isEmpty else { return }
    let all = messages.map { [observers] message in
      { @Sendable () -> Void in for observer in observers { message(observer) } }
    }
    state.withLock { $0.messages += all }
  }

  /// Called by who holds the run's lock, as for what observers are told.
  func append(_ message: @escaping @Sendable () -> Void) {
    state.withLock { $0.messages.append(message) }
  }

  /// Tells what there is, unless somebody is at it, who then tells this, too.
  ///
  /// - Parameter last: what is to be done when everything has been told; given once.
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
