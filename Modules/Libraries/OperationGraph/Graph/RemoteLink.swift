internal import AsyncRuntime

/// The operation of another run that an operation of this run represents.
struct RemoteLink: Sendable {
  let remote: RemoteEnd
  /// Where the value is stored in this run.
  var slot: Int32
}

/// An operation of a run, for runs that wait for it. It retains its run until a run that waits for the operation has
/// been notified of its end. So many runs that wait for each other in a row do not retain those that have ended.
final class RemoteEnd: Sendable {
  /// Stores the value of the operation in a run that waits for it.
  typealias Store = @Sendable (_ target: RunValues.Places, _ slot: Int32) -> Void

  enum State: Sendable {
    case pending(any RemoteSource)
    case ended(Ending, Span, Store?)
  }

  let operation: Int32
  /// The name of the operation in reports of its run.
  let name: String
  /// Reads the value from the memory of the run.
  private let read: @Sendable (RunValues.Places) -> Store
  private let state: Locked<State>

  init(
    _ operation: Int32, of source: any RemoteSource, named name: String,
    _ read: @escaping @Sendable (RunValues.Places) -> Store
  ) {
    self.operation = operation
    self.name = name
    self.read = read
    state = Locked(.pending(source))
  }

  /// The run; nil once a run that waits for the operation has been notified of its end.
  var source: (any RemoteSource)? {
    if case .pending(let source) = state.withLock({ $0 }) { source } else { nil }
  }

  /// Calls `body` when the operation has ended.
  func onEnd(_ body: @escaping @Sendable (Ending, Span, Store?) -> Void) {
    switch state.withLock({ $0 }) {
    case .ended(let ending, let span, let store): body(ending, span, store)
    case .pending(let source):
      source.watch(
        operation,
        RemoteWatcher { [self] ending in
          let span = source.span(of: operation)
          let store = if case .succeeded = ending { read(source.places) } else { nil as Store? }
          // The old state is released outside the lock.
          let old = state.withLock { state in
            defer { state = .ended(ending, span, store) }
            return state
          }
          withExtendedLifetime(old) { body(ending, span, store) }
        })
    }
  }
}

/// A handler that is called when an operation has ended.
struct RemoteWatcher: Sendable {
  let notify: @Sendable (Ending) -> Void
}

/// A run that notifies watchers when its operations end.
protocol RemoteSource: OperationHost {
  /// Calls the watcher when an operation ends, or immediately if it has ended.
  func watch(_ operation: Int32, _ watcher: RemoteWatcher)
}
