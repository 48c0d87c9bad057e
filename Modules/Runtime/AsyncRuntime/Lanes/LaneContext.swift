import Synchronization

import class Foundation.Thread

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The state of the calling thread: its lane, the span on whose behalf it runs, and the code that waits for the code on
/// its stack to return.
///
/// Each thread has one, for as long as the thread exists, and only for use on that thread. A runtime sets `lane` before
/// it runs a job on a worker.
public struct LaneContext {
  private struct Storage {
    var lane: Lane
    var causality = Causality()
    // Not reference counted: it lives as long as the thread.
    let trampoline = Unmanaged.passRetained(Trampoline())
    var carried: UnsafeRawPointer?
    let slots = LaneSlots.make()
    var purpose = JobPurpose.code
    var startWait: LaneWait?
    var holder = LaneHolder()
  }

  // A pointer and not an object: it is read so often that reference counting would be measurable.
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

  /// What a library keeps in that slot for the thread. Only for use on the thread.
  public subscript<Content>(slot: LaneSlot<Content>) -> UnsafeMutablePointer<Content> {
    storage.pointee.slots.advanced(by: slot.offset).assumingMemoryBound(to: Content.self)
  }

  /// The purpose of the job that is being scheduled.
  public var purpose: JobPurpose { storage.pointee.purpose }

  /// Runs `body`, which schedules a job for that purpose.
  public func scheduling<Result>(_ purpose: JobPurpose, _ body: () -> Result) -> Result {
    storage.pointee.purpose = purpose
    defer { storage.pointee.purpose = .code }
    return body()
  }

  /// How the running job, which starts a step, waited for its lane.
  public var startWait: LaneWait? {
    get { storage.pointee.startWait }
    nonmutating set { storage.pointee.startWait = newValue }
  }

  /// Takes it for the step that starts. Steps that this one starts immediately have not waited.
  public func takeStartWait() -> LaneWait? {
    defer { storage.pointee.startWait = nil }
    return storage.pointee.startWait
  }

  /// The span that last held the lane with work, or blocked it.
  var holder: LaneHolder {
    get { storage.pointee.holder }
    nonmutating set { storage.pointee.holder = newValue }
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

  /// Runs `body`, which schedules the resumption of that span. Its cause is the running code, if that is of another
  /// span.
  public func resuming<Result>(_ span: Span, _ body: () -> Result) -> Result {
    let outer = causality
    guard span != outer.span else { return body() }
    let isByOther = outer.cause.kind == .itself && outer.span != .none
    return perform(
      by: Causality(span: span, cause: isByOther ? Cause(.wakeUp, outer.span) : outer.cause), body)
  }

  /// From now on the code runs for that span, until the job returns. For a job in which one span continues after
  /// another.
  public func continueFor(_ span: Span) { causality = Causality(span: span) }

  /// Runs `body` for that span, because of that cause.
  @inline(__always)
  func perform<Result>(by cause: Causality, _ body: () -> Result) -> Result {
    let outer = causality
    causality = cause
    defer { causality = outer }
    return body()
  }

  /// The code that waits for the code on the thread's stack to return.
  @inline(__always)
  func withTrampoline<Result>(_ body: (Trampoline) -> Result) -> Result {
    storage.pointee.trampoline._withUnsafeGuaranteedRef(body)
  }

  /// Runs `body` immediately for that span, because of that cause. The code that it leaves behind runs after it, or
  /// after the code that the lane is running.
  public func enter(for span: Span, because cause: Cause = .itself, _ body: () -> Void) {
    perform(by: Causality(span: span, cause: cause)) {
      withTrampoline { $0.enter(in: self, body) }
    }
  }

  /// The span on whose behalf the thread runs.
  public var span: Span { causality.span }

  /// The cause of the code's effects on a span, its own or another one.
  public func cause(for span: Span) -> Cause {
    causality.span == span ? causality.cause : causality.causeForOthers
  }

  /// Notes that the running code's span has started: from now on the code itself is the cause of its effects.
  public func noteStart(of span: Span) {
    if causality.span == span { causality.cause = .itself }
  }

  /// The span that counts as the canceller of what the code cancels.
  public var canceller: Cause { Cause(.cancellation, causality.actor) }

  /// The span that counts as the giver of a permit that the code gives.
  public var giver: Span { causality.giver }

  /// Notes that the code continues because of a permit of another span. That span is the cause of what the code starts
  /// from now on, on this thread or by the jobs that it schedules.
  ///
  /// - Parameter wasBlocked: whether the thread was blocked until the permit was there.
  public func takePermit(from giver: Span, wasBlocked: Bool) {
    // Outside any span there is no frame at whose end it would be reset.
    if causality.span != .none {
      causality.cause = Cause(wasBlocked ? .wakeUp : .permit, giver)
    }
  }

  /// Notes that the code has taken a permit that no other span gave. If its thread was blocked for it, no earlier
  /// permit is the cause of its continuing.
  public func takePermit(wasBlocked: Bool) {
    let kind = causality.cause.kind
    if wasBlocked, kind == .permit || kind == .wakeUp { causality.cause = .itself }
  }

  /// Runs the code that waits for the code on the stack to return. A runtime calls it before it blocks the thread,
  /// since the thread may wait for exactly that code.
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

  /// A lane with a number that no other lane of the process has.
  public static func nextLane() -> Lane {
    Lane(number: laneCount.add(1, ordering: .relaxed).newValue)
  }

  private static let laneCount = Atomic<UInt32>(0)

  /// One more than the key, once it is known. A lazy global would cost more than everything else here.
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
