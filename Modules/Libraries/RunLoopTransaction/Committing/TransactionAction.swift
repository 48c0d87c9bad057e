/// What a transaction does to its target, and the key by which it is known.
///
/// ```swift
/// extension TransactionAction where Target == Label {
///   static let layout = TransactionAction("layout") { label in label.layOut() }
/// }
/// ```
///
/// Two actions of equal keys stand for the same work: of two transactions on one target with such actions
/// only one is performed. One that is made once, as here, makes a commit cheaper than one made for each.
@frozen
public struct TransactionAction<Target: AnyObject & Sendable>: Sendable {
  // Without the type, so that nobody has to look up what the type of such an action is.
  @usableFromInline let body: ActionBody

  /// - Parameters:
  ///   - key: tells it from other actions on the same target. Keys of different types are different. Keys are
  ///     compared under the queue's lock, so their `==` must not use the queue.
  ///   - perform: called on the run loop, with the target, never under a lock.
  /// - Complexity: that of hashing the key.
  public init(
    _ key: some Hashable & Sendable, _ perform: @escaping @Sendable (Target) -> Void
  ) {
    body = TypedActionBody(key, perform)
  }

  /// What it is known by.
  public var key: any Hashable & Sendable { body.original }
}

/// An action, whatever its target is.
@usableFromInline
class ActionBody: @unchecked Sendable {
  // Safe to share: nothing changes, and the key was made of a value that may be shared.
  let key: AnyHashable
  /// `AnyHashable` takes numbers of different types for equal.
  private let keyType: ObjectIdentifier
  let original: any Hashable & Sendable
  /// That of the key, taken once.
  let hash: Int

  init<Key: Hashable & Sendable>(_ key: Key) {
    self.key = AnyHashable(key)
    keyType = ObjectIdentifier(Key.self)
    original = key
    hash = self.key.hashValue
  }

  /// Whether it stands for the same work as `other`, on the same target.
  final func isSame(as other: ActionBody) -> Bool {
    self === other || hash == other.hash && keyType == other.keyType && key == other.key
  }

  func perform(_ target: any AnyObject & Sendable) {
    preconditionFailure("every action has a type of target")
  }

  /// What it does to whom, as a report names it.
  var subject: String { keyText }
  /// Whether it was committed at a place in the source that a report can name.
  var hasPlace: Bool { true }

  /// The key, as people write it.
  final var keyText: String { original is String ? "“\(original)”" : "\(original)" }
}

final class TypedActionBody<Target: AnyObject & Sendable>: ActionBody, @unchecked Sendable {
  // Safe to share, as what it inherits from: nothing changes, and the closure may be called from anywhere.
  private let body: @Sendable (Target) -> Void

  init(_ key: some Hashable & Sendable, _ body: @escaping @Sendable (Target) -> Void) {
    self.body = body
    super.init(key)
  }

  override func perform(_ target: any AnyObject & Sendable) {
    // A transaction puts the two together, and only with each other.
    body(unsafeDowncast(target, to: Target.self))
  }

  override var subject: String {
    (Target.self as? any ReportedTarget.Type)?.subject(keyText) ?? "“\(Target.self)”, \(keyText)"
  }
  override var hasPlace: Bool { !(Target.self is any ReportedTarget.Type) }
}

/// A target that has a name of its own in reports, and that no line of source commits: such as a step of a composition.
public protocol ReportedTarget {
  /// What a report calls the target.
  ///
  /// - Parameter key: that of the transaction, as people write it.
  static func subject(_ key: String) -> String
}
