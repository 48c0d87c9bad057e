/// An error of an operation or its queue: either a call was rejected, or an await would never end.
public enum AsyncOperationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The operation is in a queue, or was started.
  case alreadyEnqueued(String)
  /// The operation cannot be started before these operations have ended.
  case notReady(String, waitsFor: [String])
  /// An operation awaits something that cannot end before the operation itself.
  case selfAwait(String, awaits: String)

  public var description: String {
    switch self {
    case .alreadyEnqueued(let name):
      "“\(name)” is in a queue or was started before, and an operation runs only once; make another one"
    case .notReady(let name, let others):
      "“\(name)” cannot be started before \(others.quoted.listed(separator: ", ")) "
        + "\(others.count == 1 ? "has" : "have") ended; add it to a queue, which starts it then"
    case .selfAwait(let name, let awaited):
      "“\(name)” awaits \(awaited), which cannot end before “\(name)” has; await it from outside, make "
        + "it a dependency, or give the queue a larger width"
    }
  }
}
