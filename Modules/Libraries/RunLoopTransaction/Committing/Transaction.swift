/// Work on a target that is to be done once at the end of a turn of the run loop, however often it is
/// asked for until then.
///
/// ```swift
/// func setText(_ text: String) {
///   state.withLock { $0.text = text }
///   Transaction(self, action: .layout).commit()
/// }
/// ```
///
/// Transactions are equal that have the same target, by identity, and equal keys. A transaction always
/// has a target and an action: there is no way to make one without.
@frozen
public struct Transaction<Target: AnyObject & Sendable>: Sendable {
  /// What it works on. A commit holds it until the transaction has been performed or taken back.
  public let target: Target
  /// What it does.
  public let action: TransactionAction<Target>
  /// Who goes first among those of one flush.
  public var priority: TransactionPriority

  /// A transaction with an action that is known by its name.
  @inlinable
  public init(
    _ target: Target, action: TransactionAction<Target>,
    priority: TransactionPriority = .normal
  ) {
    self.target = target
    self.action = action
    self.priority = priority
  }

  /// A transaction with an action made in place.
  ///
  /// - Parameters:
  ///   - key: tells it from other transactions on the same target.
  ///   - perform: called on the run loop, with the target, never under a lock.
  public init(
    _ target: Target, _ key: some Hashable & Sendable,
    priority: TransactionPriority = .normal, _ perform: @escaping @Sendable (Target) -> Void
  ) {
    self.init(target, action: TransactionAction(key, perform), priority: priority)
  }
}

/// Who goes first among the transactions of one flush; of one priority, who was committed first, or came to have
/// that priority first.
@frozen
public enum TransactionPriority: Int, Sendable, Hashable, CaseIterable, Comparable {
  case high, normal, low

  /// Whether `left` goes after `right`.
  public static func < (left: TransactionPriority, right: TransactionPriority) -> Bool {
    left.rawValue > right.rawValue
  }
}

/// Where in the source something was committed.
struct CommitSite: Sendable, CustomStringConvertible {
  let file: StaticString
  let line: UInt

  var description: String { "\(file):\(line)" }
}
