/// Something that those who observe a run are told.
enum GraphEvent: Sendable {
  case started(Int32, attempt: Int)
  case failedAttempt(Int32, attempt: Int, any Error)
  case finished(Int32, Ending)
}

/// Tells those who observe a run what happens, one thing at a time and in order, and never under a lock.
final class EventDelivery: Sendable {
  typealias Message = @Sendable (any GraphObserver) -> Void

  private struct State: Sendable {
    var messages: [Message] = []
    var isDelivering = false
    /// What is to be done when everything has been told.
    var last: (@Sendable () -> Void)?
  }

  private let observers: [any GraphObserver]
  private let state = Locked(State())

  init(_ observers: [any GraphObserver]) { self.observers = observers }

  /// Called by who holds the run's lock, so that the order is that of what happened.
  func append(_ messages: [Message]) { state.withLock { $0.messages += messages } }

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
      let (messages, last) = state.withLock { state -> ([Message], (@Sendable () -> Void)?) in
        defer { state.messages = [] }
        guard state.messages.isEmpty else { return (state.messages, nil) }
        state.isDelivering = false
        return ([], state.last.take())
      }
      guard !messages.isEmpty else {
        last?()
        return
      }
      for message in messages {
        for observer in observers { message(observer) }
      }
    }
  }
}
