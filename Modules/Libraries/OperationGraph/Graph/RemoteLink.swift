/// The operation of another run that an operation of this run represents.
struct RemoteLink: Sendable {
  let source: any RemoteSource
  let operation: Int32
  /// The name of `operation` in reports of the other run.
  let name: String
  /// Where the value is stored in the other run, and where it is stored in this one.
  let sourceSlot: Int32
  var slot: Int32
  let copy: @Sendable (_ link: RemoteLink, _ target: RunValues.Places) -> Void
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
