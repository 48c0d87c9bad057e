/// The operation of another run that an operation here stands for.
struct RemoteLink: Sendable {
  let source: any RemoteSource
  let operation: Int32
  /// What reports call it there.
  let name: String
  /// Where the value stands there, and where it is to stand here.
  let sourceSlot: Int32
  var slot: Int32
  let copy: @Sendable (_ link: RemoteLink, _ target: RunValues.Places) -> Void
}

/// Whom to tell when an operation has ended.
struct RemoteWatcher: Sendable {
  let tell: @Sendable (Ending) -> Void
}

/// A run that tells others how its operations end.
protocol RemoteSource: OperationHost {
  /// Tells the watcher how an operation ends, at once if it has ended.
  func watch(_ operation: Int32, _ watcher: RemoteWatcher)
}
