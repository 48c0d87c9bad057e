internal import AsyncRuntime
internal import Synchronization

/// Guards the end of one start of an operation. The first call of `succeed` or `fail` counts, and a second call is
/// reported. Releasing the token without such a call fails the operation.
@usableFromInline
package final class OperationToken: @unchecked Sendable {
  // Safe to share: `slot` is written only before the operation's work receives the token.
  let host: any OperationHost
  let operation: Int32
  /// Where the value of a success is stored; negative if the value takes no space.
  @exclusivity(unchecked) var slot: Int32 = -1
  /// Cancels this start only; nil if the run cancels all its operations together.
  private let ownCancellation: Cancellation?
  private let state = Atomic<UInt8>(OperationToken.isOpen)

  private static let isOpen: UInt8 = 0
  private static let isCalled: UInt8 = 1
  /// The run no longer waits for this start.
  private static let isExpired: UInt8 = 2

  init(
    of operation: Int32, in host: any OperationHost, cancelledBy cancellation: Cancellation? = nil
  ) {
    self.operation = operation
    self.host = host
    ownCancellation = cancellation
  }

  /// Notifies this start of the operation that it is cancelled.
  var cancellation: Cancellation { ownCancellation ?? host.cancellation }

  deinit {
    guard state.load(ordering: .acquiring) == Self.isOpen else { return }
    // A lock may be held where the last reference is released, so report from another thread.
    let (host, operation) = (host, operation)
    host.runtime.pool.schedule {
      let error = CompletionDropped(step: host.name(of: operation))
      host.runtime.misuse(
        "completion-dropped", error.description, of: host.span(of: operation))
      host.end(operation, error)
    }
  }

  /// Ends the operation with a success.
  @usableFromInline
  func succeed<Value>(with value: Value) {
    guard noteCall() else { return }
    host.places.store(value, at: slot)
    host.end(operation, nil)
  }

  /// Ends the operation with a failure.
  @usableFromInline
  func fail(with error: any Error) {
    if noteCall() { host.end(operation, error) }
  }

  /// - Returns: whether this is the first call, and the run still waits for it.
  private func noteCall() -> Bool {
    let before = state.compareExchange(
      expected: Self.isOpen, desired: Self.isCalled, ordering: .acquiringAndReleasing)
    if before.original == Self.isCalled { reportSecondCall() }
    return before.exchanged
  }

  /// Makes later calls have no effect, and does not report a missing call. The run continues without this start.
  ///
  /// - Returns: whether it had not been called yet.
  func expire() -> Bool {
    state.compareExchange(
      expected: Self.isOpen, desired: Self.isExpired, ordering: .acquiringAndReleasing
    ).exchanged
  }

  private func reportSecondCall() {
    host.runtime.misuse(
      "completed-twice",
      "“\(host.name(of: operation))” called its completion again; the second call was ignored: call it only once",
      of: LaneContext.current.span)
  }
}
