internal import AsyncRuntime
internal import Synchronization

/// Guards the end of one start of an operation: the first call counts, a second is reported, and letting
/// go of it uncalled fails the operation.
final class OperationToken: Sendable {
  let host: any OperationHost
  let operation: Int32
  /// What calls this start off, if the run does not call off all of them together.
  private let ownCancellation: Cancellation?
  private let state = Atomic<UInt8>(OperationToken.isOpen)

  private static let isOpen: UInt8 = 0
  private static let isCalled: UInt8 = 1
  /// The run has not waited for it.
  private static let isExpired: UInt8 = 2

  init(
    of operation: Int32, in host: any OperationHost, cancelledBy cancellation: Cancellation? = nil
  ) {
    self.operation = operation
    self.host = host
    ownCancellation = cancellation
  }

  /// What tells this start of the operation that it is called off.
  var cancellation: Cancellation { ownCancellation ?? host.cancellation }

  deinit {
    guard state.load(ordering: .acquiring) == Self.isOpen else { return }
    // Somebody's lock may be held where the last reference goes: report from elsewhere.
    let (host, operation) = (host, operation)
    host.runtime.pool.schedule {
      let error = CompletionDropped(step: host.table.name(of: operation))
      host.runtime.misuse(
        "completion-dropped", error.description, of: host.span(of: operation))
      host.end(operation, error)
    }
  }

  /// Ends the operation.
  ///
  /// - Parameter slot: where the value of a success is to stand.
  func complete<Value>(_ result: Result<Value, any Error>, at slot: Int32) {
    let before = state.compareExchange(
      expected: Self.isOpen, desired: Self.isCalled, ordering: .acquiringAndReleasing)
    guard before.exchanged else {
      if before.original == Self.isCalled { reportSecondCall() }
      return
    }
    switch result {
    case .success(let value):
      host.places.store(value, at: slot)
      host.end(operation, nil)
    case .failure(let error):
      host.end(operation, error)
    }
  }

  /// From now on a call has no effect, and none is missed: the run goes on without it.
  ///
  /// - Returns: whether it had not been called.
  func expire() -> Bool {
    state.compareExchange(
      expected: Self.isOpen, desired: Self.isExpired, ordering: .acquiringAndReleasing
    ).exchanged
  }

  private func reportSecondCall() {
    host.runtime.misuse(
      "completed-twice",
      "“\(host.table.name(of: operation))” called its completion again; the second call was dropped",
      of: LaneContext.current.span)
  }
}
