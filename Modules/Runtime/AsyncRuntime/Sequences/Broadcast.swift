internal import DequeModule

/// Delivers the values of one source to any number of asynchronous sequences.
///
/// - A sequence gets the values that are sent after it was made, in the order in which they were sent.
/// - No lock is held while a value is yielded. If another thread is already delivering, that thread also delivers the
///   new value, and `send` returns before that.
/// - Finishing or releasing the broadcast ends its sequences. Each first yields the values in its buffer.
package final class Broadcast<Element: Sendable>: Sendable {
  private typealias Buffering = AsyncStream<Element>.Continuation.BufferingPolicy

  private struct Recipient: Sendable {
    let number: UInt64
    let continuation: AsyncStream<Element>.Continuation
  }

  private struct Delivery: Sendable {
    var element: Element?
    var recipients: [Recipient]
    var isLast = false
  }

  private struct State: Sendable {
    /// The recipients, in the order in which their sequences were made.
    var recipients: [Recipient] = []
    var count: UInt64 = 0
    var version = -1
    var isFinished = false
    /// The deliveries that the delivering thread has not yet made.
    var deliveries: Deque<Delivery> = []
    var isDelivering = false
  }

  private let state = Locked(State())

  package init() {}

  deinit { finish() }

  // MARK: Sequences

  /// A sequence of all values that are sent from now on. Its buffer has no limit.
  package func events() -> AsyncStream<Element> { stream(.unbounded) { nil } }

  /// A sequence of the current value and the values that are sent from now on. A slow consumer gets only the latest.
  ///
  /// - Parameter current: returns the current value, and its version if values are sent with versions. It is called
  ///   under the lock, so it must not send. After the end, the sequence yields only this value.
  package func states(
    current: () -> (element: Element, version: Int?)
  ) -> AsyncStream<Element> {
    stream(.bufferingNewest(1)) { current() }
  }

  private func stream(
    _ buffering: Buffering, startingWith current: () -> (element: Element, version: Int?)?
  ) -> AsyncStream<Element> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Element.self, bufferingPolicy: buffering)
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    continuation.onTermination = { [weak self] _ in self?.remove(number) }
    let recipient = Recipient(number: number, continuation: continuation)
    deliver { state in
      let first = current()
      if state.isFinished {
        return Delivery(element: first?.element, recipients: [recipient], isLast: true)
      }
      state.recipients.append(recipient)
      guard let first else { return nil }
      // Other recipients do not have this value yet. The later `send` of it will be ignored as outdated.
      if let version = first.version, version > state.version {
        state.version = version
        return Delivery(element: first.element, recipients: state.recipients)
      }
      return Delivery(element: first.element, recipients: [recipient])
    }
    return stream
  }

  private func remove(_ number: UInt64) {
    // Released outside the lock.
    let removed = state.withLock { state -> Recipient? in
      guard let index = state.recipients.firstIndex(where: { $0.number == number }) else {
        return nil
      }
      return state.recipients.remove(at: index)
    }
    withExtendedLifetime(removed) {}
  }

  // MARK: Sending

  /// Sends a value to all sequences.
  /// - Parameter version: orders the values of several threads. A value is sent only if its version
  ///   is newer than all earlier ones. Nil if the calls are already in order.
  /// - Complexity: O(*n*) for *n* sequences.
  package func send(_ element: Element, version: Int? = nil) {
    deliver { state in
      if let version {
        guard version > state.version else { return nil }
        state.version = version
      }
      return Delivery(element: element, recipients: state.recipients)
    }
  }

  /// Ends all sequences.
  ///
  /// - Parameter last: a value to send before the end, whatever its version; nil to send nothing.
  package func finish(with last: Element? = nil) {
    deliver { state in
      defer {
        state.isFinished = true
        state.recipients = []
      }
      return Delivery(element: last, recipients: state.recipients, isLast: true)
    }
  }

  private func deliver(_ decide: (inout State) -> Delivery?) {
    var next = state.withLock { state -> Delivery? in
      guard let delivery = decide(&state), !delivery.recipients.isEmpty else { return nil }
      if state.isDelivering {
        state.deliveries.append(delivery)
        return nil
      }
      state.isDelivering = true
      return delivery
    }
    while let delivery = next {
      for recipient in delivery.recipients {
        if let element = delivery.element { recipient.continuation.yield(element) }
        if delivery.isLast { recipient.continuation.finish() }
      }
      next = state.withLock { state in
        let following = state.deliveries.popFirst()
        state.isDelivering = following != nil
        return following
      }
    }
  }
}
