import Synchronization

import class Foundation.Thread

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The state of the calling thread: its lane, the span on whose behalf it runs, and its deferred
/// code. Deferred code runs as soon as the code on the thread's stack has returned.
///
/// Each thread has one context as long as the thread exists, and only that thread may use it. A
/// runtime sets `lane` before it runs a job on a worker.
public struct LaneContext {
  private struct Storage {
    var lane: Lane
    var causality = Causality()
    // Not reference counted, since it lives as long as the thread.
    let trampoline = Unmanaged.passRetained(Trampoline())
    var carried: UnsafeRawPointer?
    let slots = LaneSlots.make()
    var purpose = JobPurpose.code
    var startWait: LaneWait?
    var holder = LaneHolder()
    var scheduler: ObjectIdentifier?
  }

  // A pointer, not an object: the storage is read so often that reference counting would take
  // measurable time.
  private let storage: UnsafeMutablePointer<Storage>

  /// The lane of the thread.
  public var lane: Lane {
    get { storage.pointee.lane }
    nonmutating set { storage.pointee.lane = newValue }
  }

  var causality: Causality {
    get { storage.pointee.causality }
    nonmutating set { storage.pointee.causality = newValue }
  }

  /// The event loop that the thread runs; nil if it runs none.
  public var carried: UnsafeRawPointer? {
    get { storage.pointee.carried }
    nonmutating set { storage.pointee.carried = newValue }
  }

  /// The content of a library's slot for this thread. Only for use on the thread.
  public subscript<Content>(slot: LaneSlot<Content>) -> UnsafeMutablePointer<Content> {
    storage.pointee.slots.advanced(by: slot.offset).assumingMemoryBound(to: Content.self)
  }

  /// The purpose of the job that is being scheduled.
  public var purpose: JobPurpose { storage.pointee.purpose }

  /// Runs `body`, which schedules a job for `purpose`.
  public func scheduling<Result>(_ purpose: JobPurpose, _ body: () -> Result) -> Result {
    storage.pointee.purpose = purpose
    defer { storage.pointee.purpose = .code }
    return body()
  }

  /// The wait of the running job for its lane, if the job starts a step.
  public var startWait: LaneWait? {
    get { storage.pointee.startWait }
    nonmutating set { storage.pointee.startWait = newValue }
  }

  /// Takes the wait for the step that starts. Steps that this step starts immediately have not
  /// waited.
  public func takeStartWait() -> LaneWait? {
    defer { storage.pointee.startWait = nil }
    return storage.pointee.startWait
  }

  /// The span that last worked on the lane or blocked it.
  var holder: LaneHolder {
    get { storage.pointee.holder }
    nonmutating set { storage.pointee.holder = newValue }
  }

  /// The serial scheduler whose job the thread runs; nil if it runs none.
  public internal(set) var scheduler: ObjectIdentifier? {
    get { storage.pointee.scheduler }
    nonmutating set { storage.pointee.scheduler = newValue }
  }

  /// Runs `body` on behalf of `span`.
  @discardableResult
  public func perform<Result>(for span: Span, _ body: () -> Result) -> Result {
    perform(by: Causality(span: span), body)
  }

  /// Runs `body` on behalf of `span`, which continues because of `cause`. Effects of `body` on the span have that
  /// cause.
  @discardableResult
  public func perform<Result>(
    for span: Span, because cause: Cause, _ body: () -> Result
  ) -> Result {
    perform(by: Causality(span: span, cause: cause), body)
  }

  /// Runs `body`, which schedules the resumption of `span`. The cause is the running code, if it
  /// belongs to another span.
  public func resuming<Result>(_ span: Span, _ body: () -> Result) -> Result {
    let outer = causality
    guard span != outer.span else { return body() }
    let isByOther = outer.cause.kind == .itself && outer.span != .none
    return perform(
      by: Causality(span: span, cause: isByOther ? Cause(.wakeUp, outer.span) : outer.cause), body)
  }

  /// Makes the code run for `span` until the job returns. Use it in a job in which one span
  /// continues after another.
  public func continueFor(_ span: Span) { causality = Causality(span: span) }

  /// Runs `body` with the span and the cause of `cause`.
  @inline(__always)
  func perform<Result>(by cause: Causality, _ body: () -> Result) -> Result {
    let outer = causality
    causality = cause
    defer { causality = outer }
    return body()
  }

  /// Calls `body` with the deferred code of the thread.
  @inline(__always)
  func withTrampoline<Result>(_ body: (Trampoline) -> Result) -> Result {
    storage.pointee.trampoline._withUnsafeGuaranteedRef(body)
  }

  /// Runs `body` immediately for `span`, because of `cause`, and then the code that `body` defers.
  /// If the lane is already running other code, the deferred code runs after that code.
  public func enter(for span: Span, because cause: Cause = .itself, _ body: () -> Void) {
    perform(by: Causality(span: span, cause: cause)) {
      withTrampoline { $0.enter(in: self, body) }
    }
  }

  /// The span on whose behalf the thread runs.
  public var span: Span { causality.span }

  /// The cause of the code's effects on `span`, which may be the code's own span or another one.
  public func cause(for span: Span) -> Cause {
    causality.span == span ? causality.cause : causality.causeForOthers
  }

  /// Notes that the running code's span has started. From now on, the code itself causes its
  /// effects.
  public func noteStart(of span: Span) {
    if causality.span == span { causality.cause = .itself }
  }

  /// The cause of a cancellation by the running code.
  public var canceller: Cause { Cause(.cancellation, causality.actor) }

  /// The span that counts as the giver, if the code gives a permit.
  public var giver: Span { causality.giver }

  /// Notes that the code continues because of a permit of another span. From now on that span is
  /// the cause of what the code starts, on this thread or through jobs.
  ///
  /// - Parameter wasBlocked: whether the thread was blocked until the permit was there.
  public func takePermit(from giver: Span, wasBlocked: Bool) {
    // Outside any span, nothing would reset the causality later.
    if causality.span != .none {
      causality.cause = Cause(wasBlocked ? .wakeUp : .permit, giver)
    }
  }

  /// Notes that the code has taken a permit that no other span gave. If the thread was blocked for
  /// it, no earlier permit causes the continuation.
  public func takePermit(wasBlocked: Bool) {
    let kind = causality.cause.kind
    if wasBlocked, kind == .permit || kind == .wakeUp { causality.cause = .itself }
  }

  /// Runs the deferred code. A runtime calls this before it blocks the thread, since the thread may
  /// wait for exactly that code.
  public func willBlock() { withTrampoline { $0.drain(in: self) } }

  /// The context of the calling thread.
  public static var current: LaneContext {
    let known = knownKey.load(ordering: .relaxed)
    if known != 0, let existing = pthread_getspecific(pthread_key_t(known - 1)) {
      return LaneContext(storage: existing.assumingMemoryBound(to: Storage.self))
    }
    return first()
  }

  /// Makes the context of a thread when it is first used.
  @inline(never)
  private static func first() -> LaneContext {
    knownKey.store(UInt(key) + 1, ordering: .relaxed)
    if let existing = pthread_getspecific(key) {
      return LaneContext(storage: existing.assumingMemoryBound(to: Storage.self))
    }
    let storage = UnsafeMutablePointer<Storage>.allocate(capacity: 1)
    storage.initialize(to: Storage(lane: Thread.isMainThread ? .main : nextLane()))
    pthread_setspecific(key, storage)
    return LaneContext(storage: storage)
  }

  /// A lane whose number no other lane of the process has.
  public static func nextLane() -> Lane {
    Lane(number: laneCount.add(1, ordering: .relaxed).newValue)
  }

  private static let laneCount = Atomic<UInt32>(0)

  /// The key plus one, once it is known; 0 before. A lazy global would cost more than everything
  /// else here.
  private static let knownKey = Atomic<UInt>(0)

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { storage in
      guard let storage: UnsafeMutableRawPointer = storage else { return }
      let typed = storage.assumingMemoryBound(to: Storage.self)
      typed.pointee.trampoline.release()
      typed.pointee.slots.deallocate()
      typed.deinitialize(count: 1)
      typed.deallocate()
    }
    return key
  }()
}
