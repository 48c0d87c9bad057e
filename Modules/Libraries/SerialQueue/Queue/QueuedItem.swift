internal import AsyncRuntime
internal import Synchronization

/// A piece of work in a serial queue, with any type of result.
///
/// Safe to share: the lock of the queue guards all properties that change, with two exceptions.
/// Until the queue has seen the item, the producer that enqueues it owns `next`. The code that took
/// the item out of the queue owns its work and the work's result.
@usableFromInline
class QueuedItem: @unchecked Sendable {
  /// How far the item has progressed. It never goes back to an earlier phase.
  enum Phase: UInt8 {
    /// The item has not arrived in the queue.
    case new
    /// The item waits for room in the queue.
    case outside
    /// The item is queued.
    case waiting
    case running
    /// The item has ended without running to completion. Its error is about to become its result.
    case failing
    case ended
  }

  enum Kind: UInt8 {
    /// A synchronous function without a value.
    case plain
    case synchronous, callback, asynchronous
    /// An item without work. The queue makes a decision when it reaches the item.
    case decision
  }

  struct Traits: OptionSet {
    let rawValue: UInt8

    /// The item runs alone.
    static let barrier = Traits(rawValue: 1)
    static let cancelled = Traits(rawValue: 2)
    /// A handler or the trace must be notified of the item's end.
    static let awaited = Traits(rawValue: 4)
    /// The item's code is on the stack of a drainer that started it.
    static let onDrainer = Traits(rawValue: 8)
    /// The item ended while its code was on the stack of a drainer. That drainer is about to
    /// return.
    static let returning = Traits(rawValue: 16)
    /// The item has timed out, and was not cancelled before.
    static let timedOut = Traits(rawValue: 32)
  }

  // There may be a million queued items. The order of these properties keeps an ordinary item
  // within 88 bytes.
  @exclusivity(unchecked) final var site: SourceSite
  final let kind: Kind

  @exclusivity(unchecked) final var phase = Phase.new
  @exclusivity(unchecked) final var priority = Priority.Level.normal
  @exclusivity(unchecked) final var traits: Traits = []
  /// The index of the item among the running items.
  @exclusivity(unchecked) final var slot: Int32 = 0
  /// The epoch to which the item belongs: see `Epochs`.
  @exclusivity(unchecked) final var epoch: UInt32 = 0
  /// The address of the next item in the intake or in a list. In the intake it may also be a
  /// marker.
  final let next = Atomic<UInt>(0)
  /// Properties that most items do not have.
  @exclusivity(unchecked) final var extras: ItemExtras?

  init(_ kind: Kind, site: SourceSite) {
    self.kind = kind
    self.site = site
  }

  final var ensuredExtras: ItemExtras {
    if let extras { return extras }
    let extras = ItemExtras()
    self.extras = extras
    return extras
  }

  /// The label of the item.
  final var name: String { extras?.label ?? "item" }

  final func place(in queue: String) -> SerialQueueError.Place {
    SerialQueueError.Place(queue: queue, item: name, file: site.file, line: Int(site.line))
  }

  /// The carrier of an asynchronous item, while the item is running. Guarded by the lock.
  var carrier: Carrier? {
    get { nil }
    set {}
  }

  // MARK: For the code that took the item out of the queue

  /// Runs a synchronous item, and keeps the result until `conclude`.
  func runSynchronously() {}

  /// Starts an item with completion-handler work.
  func start(_ completion: ItemCompletion) {}

  /// Runs an asynchronous item, and keeps the result until `conclude`.
  func runAsynchronously() async {}

  // MARK: At the end of the item

  /// Ends an item whose completion handler was released without a call.
  func end(with error: any Error, in storage: SerialQueueStorage) {}

  /// Releases work that will never run. Called without the lock, by the code that ended the item early.
  func dropWork() {}

  /// Makes the outcome of the work the result of the item. Called under the lock, by the code that
  /// ran the work.
  ///
  /// - Returns: the error, if the work failed.
  func conclude() -> (any Error)? { nil }

  /// Makes `error` the result of the item, and calls the handlers with it. Called once, without the
  /// lock, by the code that set the phase to `failing`.
  func fail(_ error: any Error, in storage: SerialQueueStorage) {}

  /// Calls the handlers with the result, which must have been set. Called without the lock.
  func callHandlers(in storage: SerialQueueStorage) {}
}

extension QueuedItem {
  /// Whether the queue handles the item in a special way when it arrives, instead of appending it. Guarded by the
  /// lock.
  @inline(__always)
  final var isSpecial: Bool { kind == .decision || traits.contains(.cancelled) }
}

/// A decision of the queue, made after every earlier item has arrived.
final class Decision: QueuedItem, @unchecked Sendable {
  // Safe to share: it never changes.
  let decide: @Sendable (inout SerialQueueState) -> SerialQueueActions

  init(_ decide: @escaping @Sendable (inout SerialQueueState) -> SerialQueueActions) {
    self.decide = decide
    super.init(.decision, site: SourceSite(file: #fileID, line: #line))
  }
}

/// The properties that only some items have. Guarded by the lock of the queue.
final class ItemExtras: @unchecked Sendable {
  var key: (name: String, rule: SerialQueue.Coalescing)?
  var timeout: Duration?
  /// The timer that ends the item when its timeout expires.
  var timer: (any Cancellable)?
  /// The handlers to call if the item is cancelled or times out while it runs.
  var cancelHandlers: [@Sendable () -> Void] = []
  /// The item that has replaced this one in its place in the queue.
  var substitute: QueuedItem?
  /// Called when the item has room in the queue, or when it can never have room.
  var onAdmission: (@Sendable () -> Void)?
  var isAdmitted = false

  // For the trace:

  /// The span of the item, if it has one.
  var span = Span.none
  var label: String?
  /// The number of items that had left their places when this one arrived.
  var arrival: UInt64?
  /// The span of the item whose end let this one start, if this one had to wait.
  var cause = Span.none
}

/// A place in the source code, in as few bytes as possible.
struct SourceSite: @unchecked Sendable {
  // Safe to share: the pointer refers to a literal, which never changes and is never freed.
  private let start: UnsafePointer<UInt8>?
  let line: UInt32

  init(file: StaticString, line: UInt) {
    start = file.hasPointerRepresentation ? file.utf8Start : nil
    self.line = UInt32(truncatingIfNeeded: line)
  }

  var file: String { start.map { String(cString: $0) } ?? "?" }
}
