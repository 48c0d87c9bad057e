/// The work that a transaction performs on its target, and the key that identifies it.
///
/// ```swift
/// extension TransactionAction where Target == Label {
///   static let layout = TransactionAction("layout") { label in label.layOut() }
/// }
/// ```
///
/// Actions with equal keys stand for the same work: if two transactions have the same target and such actions, only one
/// is performed. A commit with an action that is made once, as here, is cheaper than a commit with a new action.
@frozen
public struct TransactionAction<Target: AnyObject & Sendable>: Sendable {
  // Stored without the type of the target, so that no type need be looked up at run time.
  @usableFromInline let body: ActionBody

  /// - Parameters:
  ///   - key: distinguishes it from other actions on the same target. Keys of different types are different. Keys are
  ///     compared under the lock of the queue, so their `==` must not use the queue.
  ///   - perform: called on the run loop, with the target, never under a lock.
  /// - Complexity: the complexity of hashing the key.
  public init(
    _ key: some Hashable & Sendable, _ perform: @escaping @Sendable (Target) -> Void
  ) {
    body = TypedActionBody(key, perform)
  }
}

/// An action with a target of any type.
@usableFromInline
class ActionBody: @unchecked Sendable {
  // Safe to share: nothing changes, and the key was made from a `Sendable` value.
  let key: AnyHashable
  /// Compared in addition to the key, since `AnyHashable` treats equal numbers of different types
  /// as equal.
  private let keyType: ObjectIdentifier
  let original: any Hashable & Sendable
  /// The hash of the key, computed once.
  let hash: Int

  init<Key: Hashable & Sendable>(_ key: Key) {
    self.key = AnyHashable(key)
    keyType = ObjectIdentifier(Key.self)
    original = key
    hash = self.key.hashValue
  }

  /// Whether both actions stand for the same work when they are performed on the same target.
  final func isSame(as other: ActionBody) -> Bool {
    self === other || hash == other.hash && keyType == other.keyType && key == other.key
  }

  func perform(_ target: any AnyObject & Sendable) {
    preconditionFailure("ActionBody has no work of its own: a subclass must override perform(_:)")
  }

  /// The name of the action and its target in reports.
  var subject: String { keyText }
  /// Whether a report can name the place in the source code where a transaction with this action was committed.
  var hasPlace: Bool { true }

  /// The key as readable text.
  final var keyText: String { original is String ? "“\(original)”" : "\(original)" }
}

final class TypedActionBody<Target: AnyObject & Sendable>: ActionBody, @unchecked Sendable {
  // Safe to share, for the reasons of its superclass: nothing changes, and the closure may be called on any thread.
  private let body: @Sendable (Target) -> Void

  init(_ key: some Hashable & Sendable, _ body: @escaping @Sendable (Target) -> Void) {
    self.body = body
    super.init(key)
  }

  override func perform(_ target: any AnyObject & Sendable) {
    // A transaction accepts an action only for a target of the action's type.
    body(unsafeDowncast(target, to: Target.self))
  }

  override var subject: String {
    (Target.self as? any ReportedTarget.Type)?.subject(keyText) ?? "“\(Target.self)”, \(keyText)"
  }
  override var hasPlace: Bool { !(Target.self is any ReportedTarget.Type) }
}

/// A target that has its own name in reports and that no line of source code commits, such as a step of a composition.
public protocol ReportedTarget {
  /// The name of the target in reports.
  ///
  /// - Parameter key: the key of the transaction, as readable text.
  static func subject(_ key: String) -> String
}
