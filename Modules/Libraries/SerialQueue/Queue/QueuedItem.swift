internal import AsyncRuntime
internal import Synchronization

/// A piece of work in a serial queue, whatever its result type.
///
/// Safe to share: the lock of its queue guards everything that changes in it, with two exceptions. Until the queue has
/// seen the item, `next` belongs to the producer that enqueues it. The work and its result belong to the code that took
/// the item out of the queue.
@usableFromInline
class QueuedItem: @unchecked Sendable {
  /// How far the item has progressed. It never goes back to an earlier phase.
  enum Phase: UInt8 {
    /// The queue has not seen it.
    case new
    /// It waits for room in the queue.
    case outside
    /// It is queued.
    case waiting
    case running
    /// It has ended without running to completion, and its error is about to become its result.
    case failing
    case ended
  }

  enum Kind: UInt8 {
    /// A synchronous function without a value.
    case plain
    case synchronous, callback, asynchronous
    /// It runs no work. The queue makes a decision when it reaches the item.
    case decision
  }

  struct Traits: OptionSet {
    let rawValue: UInt8

    /// No other item may run beside it.
    static let barrier = Traits(rawValue: 1)
    static let cancelled = Traits(rawValue: 2)
    /// Its end must be reported to a handler or to the trace.
    static let awaited = Traits(rawValue: 4)
    /// The code that starts it is on the stack of a drainer.
    static let onDrainer = Traits(rawValue: 8)
    /// It ended while it was on the stack of a drainer, so that drainer is about to return.
    static let returning = Traits(rawValue: 16)
    /// It has timed out, and had not been cancelled before.
    static let timedOut = Traits(rawValue: 32)
  }

  // A million items may be queued: the order of these properties keeps an ordinary item within 88 bytes.
  @exclusivity(unchecked) final var site: SourceSite
  final let kind: Kind

  @exclusivity(unchecked) final var phase = Phase.new
  @exclusivity(unchecked) final var priority = Priority.Level.normal
  @exclusivity(unchecked) final var traits: Traits = []
  /// Its index among the running items.
  @exclusivity(unchecked) final var slot: Int32 = 0
  /// The epoch of the queue that it belongs to.
  @exclusivity(unchecked) final var epoch: UInt32 = 0
  /// The address of the next item in the intake or in the list that holds this one, or a marker of the intake.
  final let next = Atomic<UInt>(0)
  /// The properties that most items do not have.
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

  final func place(in queue: String) -> SerialQueueError.Place {
    SerialQueueError.Place(queue: queue, file: site.file, line: Int(site.line))
  }

  /// The carrier that runs it, while it is asynchronous and running. Guarded by the lock.
  var carrier: Carrier? {
    get { nil }
    set {}
  }

  // MARK: For the code that took it out of the queue

  /// Runs it if it is synchronous, and keeps its result until `conclude`.
  func runSynchronously() {}

  /// Starts it if it is completion-handler work.
  func start(in storage: SerialQueueStorage) {}

  /// Runs it if it is asynchronous, and keeps its result until `conclude`.
  func runAsynchronously() async {}

  // MARK: At its end

  /// Releases work that will never run. Called without the lock, by the code that ended the item early.
  func dropWork() {}

  /// Makes the outcome of the work the result. Called under the lock, by the code that ran the work.
  ///
  /// - Returns: the error, if the work failed.
  func conclude() -> (any Error)? { nil }

  /// Makes `error` the result, and calls the handlers with it. Called once, without the lock, by the code that set the
  /// phase to `failing`.
  func fail(_ error: any Error, in storage: SerialQueueStorage) {}

  /// Calls the handlers with the result, which is set by then. Called without the lock.
  func callHandlers(in storage: SerialQueueStorage) {}
}

extension QueuedItem {
  /// Whether the queue must do more than let it in when it arrives. Guarded by the lock.
  @inline(__always)
  final var isSpecial: Bool { kind == .decision || traits.contains(.cancelled) }
}

/// A decision that the queue makes when it has let in every earlier item.
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
  /// Ends the item when it times out.
  var timer: (any Cancellable)?
  /// The handlers to call if the item is cancelled while it runs.
  var cancelHandlers: [@Sendable () -> Void] = []
  /// The item that has taken its place in the queue.
  var substitute: QueuedItem?
  /// Called when the item has got room in the queue, or will never get it.
  var onAdmission: (@Sendable () -> Void)?
  var isAdmitted = false

  // For the trace:

  /// The span of the item, if it has one.
  var span = Span.none
  var label: String?
  /// How many items had left their places when it arrived.
  var arrival: UInt64?
  /// The span of the item whose end let it start, if it had to wait.
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
