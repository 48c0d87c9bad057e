/// What an operation or a queue of them refuses, or why awaiting one would never end.
public enum AsyncOperationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// These would wait for each other: the names, each after the next; the first one again at the end.
  case cycle([String])
  /// It has begun, or ended: it cannot be made to wait any more.
  case tooLate(String)
  /// It is in a queue, or was started.
  case alreadyEnqueued(String)
  /// It cannot be started before these have ended.
  case notReady(String, waitsFor: [String])
  /// An operation awaits what cannot end before it has ended itself.
  case selfAwait(String, awaits: String)

  public var description: String {
    switch self {
    case .cycle(let names):
      "these operations would wait for each other: \(names.alongCycle); leave one of the "
        + "dependencies out"
    case .tooLate(let name):
      "“\(name)” has begun, so it cannot be made to wait; add what it depends on before that"
    case .alreadyEnqueued(let name):
      "“\(name)” is in a queue or was started before, and an operation runs once; make another one"
    case .notReady(let name, let others):
      "“\(name)” cannot be started before \(others.quoted.told(separator: ", ")) "
        + "\(others.count == 1 ? "has" : "have") ended; put it into a queue, which starts it then"
    case .selfAwait(let name, let awaited):
      "“\(name)” awaits \(awaited), which cannot end before “\(name)” has; await it from outside, make "
        + "it a dependency, or give the queue more places"
    }
  }
}
