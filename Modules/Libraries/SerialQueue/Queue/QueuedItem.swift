internal import AsyncRuntime
internal import Synchronization

/// A piece of work in a serial queue, whatever it yields.
///
/// Safe to share: everything that changes in it is guarded by the lock of its queue, but `next` before the
/// queue has looked at the item, which belongs to whoever enqueues it, and the work and what it produces,
/// which belong to whoever took the item out of the queue.
@usableFromInline
class QueuedItem: @unchecked Sendable {
  /// How far it has come. There is no way back.
  enum Phase: UInt8 {
    /// The queue has not looked at it.
    case new
    /// It waits for room in the queue.
    case outside
    /// It waits for its turn.
    case waiting
    case running
    /// It has ended without having run to its end, and its result is about to say why.
    case failing
    case ended
  }

  enum Kind: UInt8 {
    /// A synchronous function without a value.
    case plain
    case synchronous, callback, asynchronous
    /// Nothing to be run, but to be decided in its turn.
    case decision
  }

  struct Traits: OptionSet {
    let rawValue: UInt8

    /// Nothing else may run beside it.
    static let barrier = Traits(rawValue: 1)
    static let cancelled = Traits(rawValue: 2)
    /// Somebody wants to be told of its end.
    static let awaited = Traits(rawValue: 4)
    /// The code that starts it is on the stack of somebody who drains the queue.
    static let onDrainer = Traits(rawValue: 8)
    /// It has ended while it was on a drainer, who is therefore about to come back.
    static let returning = Traits(rawValue: 16)
    /// It has run out of time, without having been cancelled before.
    static let timedOut = Traits(rawValue: 32)
  }

  // A million of them may wait: the order of these keeps an ordinary item within 88 bytes.
  @exclusivity(unchecked) final var site: SourceSite
  final let kind: Kind

  @exclusivity(unchecked) final var phase = Phase.new
  @exclusivity(unchecked) final var priority = SerialQueue.Priority.normal
  @exclusivity(unchecked) final var traits: Traits = []
  /// Where it stands among those that run.
  @exclusivity(unchecked) final var slot: Int32 = 0
  /// Which of the queue's epochs it belongs to.
  @exclusivity(unchecked) final var epoch: UInt32 = 0
  /// The address of the next one in the intake or in the list where it stands, or a word of the intake's.
  final let next = Atomic<UInt>(0)
  /// What most items do not have.
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

  /// The carrier that runs it, if it is asynchronous and runs. Guarded by the lock.
  var carrier: Carrier? {
    get { nil }
    set {}
  }

  // MARK: For whoever took it out of the queue

  /// Runs it, if it is synchronous, and keeps what it yields until `conclude`.
  func runSynchronously() {}

  /// Starts it, if it is completion-handler work.
  func start(in storage: SerialQueueStorage) {}

  /// Runs it, if it is asynchronous, and keeps what it yields until `conclude`.
  func runAsynchronously() async {}

  // MARK: At its end

  /// Lets go of work that will never run. Called after the lock, by whoever made sure of that.
  func dropWork() {}

  /// What the work has yielded becomes the result. Called under the lock, by whoever ran it.
  ///
  /// - Returns: the error, if it failed.
  func conclude() -> (any Error)? { nil }

  /// `error` becomes the result, and is told to those who listen. Called once, after the lock, by whoever
  /// made its phase `ended` without running it to its end.
  func fail(_ error: any Error, in storage: SerialQueueStorage) {}

  /// Tells those who listen what the result is, which is there by now. Called after the lock.
  func tellListeners(in storage: SerialQueueStorage) {}
}

extension QueuedItem {
  /// Whether it is not simply to be let in when it comes. Guarded by the lock.
  @inline(__always)
  final var isSpecial: Bool { kind == .decision || traits.contains(.cancelled) }
}

/// Something to be decided when all that came before it has been let in.
final class Decision: QueuedItem, @unchecked Sendable {
  // Safe to share: it never changes.
  let decide: @Sendable (inout SerialQueueState) -> SerialQueueActions

  init(_ decide: @escaping @Sendable (inout SerialQueueState) -> SerialQueueActions) {
    self.decide = decide
    super.init(.decision, site: SourceSite(file: #fileID, line: #line))
  }
}

/// What only some items have. Guarded by the lock of the queue.
final class ItemExtras: @unchecked Sendable {
  var key: (name: String, rule: SerialQueue.Coalescing)?
  var timeout: Duration?
  /// Ends it when its time is over.
  var timer: (any Cancellable)?
  /// Who wants to be told that it is cancelled while it runs.
  var cancelHandlers: [@Sendable () -> Void] = []
  /// The item that has taken its place in line.
  var substitute: QueuedItem?
  /// Called when it has got room in the queue, or will never get it.
  var onAdmission: (@Sendable () -> Void)?
  var isAdmitted = false

  // For the trace.

  /// Its place there, if it has one.
  var span = Span.none
  var label: String?
  /// How many items had left their places when it came.
  var arrival: UInt64?
  /// Whose end has let it start, if it had to wait.
  var cause = Span.none
}

/// A place in the source, in as few bytes as can be.
struct SourceSite: @unchecked Sendable {
  // Safe to share: what it points to is a literal, which never changes and never goes.
  private let start: UnsafePointer<UInt8>?
  let line: UInt32

  init(file: StaticString, line: UInt) {
    start = file.hasPointerRepresentation ? file.utf8Start : nil
    self.line = UInt32(truncatingIfNeeded: line)
  }

  var file: String { start.map { String(cString: $0) } ?? "?" }
}
