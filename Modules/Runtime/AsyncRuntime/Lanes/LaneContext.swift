import Synchronization

import class Foundation.Thread

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// What the calling thread is about: which lane it is, on whose behalf it runs, and what waits for the
/// code on its stack to return.
///
/// One for each thread, as long as the thread lives, and only for use on it. A runtime sets `lane` before
/// it runs a job on a worker.
public struct LaneContext {
  private struct Storage {
    var lane: Lane
    var causality = Causality()
    // Without counting: it goes with the thread.
    let trampoline = Unmanaged.passRetained(Trampoline())
    var carried: UnsafeRawPointer?
    let slots = LaneSlots.make()
    var purpose = JobPurpose.code
    var startWait: LaneWait?
    var holder = LaneHolder()
  }

  // A pointer and no object: it is asked for so often that counting references would show.
  private let storage: UnsafeMutablePointer<Storage>

  /// Which lane the thread is.
  public var lane: Lane {
    get { storage.pointee.lane }
    nonmutating set { storage.pointee.lane = newValue }
  }

  var causality: Causality {
    get { storage.pointee.causality }
    nonmutating set { storage.pointee.causality = newValue }
  }

  /// The event loop that the thread carries, if it does.
  public var carried: UnsafeRawPointer? {
    get { storage.pointee.carried }
    nonmutating set { storage.pointee.carried = newValue }
  }

  /// What a library keeps there for the thread. Only for use on the thread.
  public subscript<Content>(slot: LaneSlot<Content>) -> UnsafeMutablePointer<Content> {
    storage.pointee.slots.advanced(by: slot.offset).assumingMemoryBound(to: Content.self)
  }

  /// What the job that is being scheduled is for.
  public var purpose: JobPurpose { storage.pointee.purpose }

  /// Runs `body`, which schedules a job for that purpose.
  public func scheduling<Result>(_ purpose: JobPurpose, _ body: () -> Result) -> Result {
    storage.pointee.purpose = purpose
    defer { storage.pointee.purpose = .code }
    return body()
  }

  /// How the job that runs, which starts a step, waited for its lane.
  public var startWait: LaneWait? {
    get { storage.pointee.startWait }
    nonmutating set { storage.pointee.startWait = newValue }
  }

  /// Takes it for the step that starts: what that step starts at once has not waited itself.
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

  /// Runs `body` on behalf of `span`, which continues because of `cause`: what `body` does to the span has that cause.
  @discardableResult
  public func perform<Result>(
    for span: Span, because cause: Cause, _ body: () -> Result
  ) -> Result {
    perform(by: Causality(span: span, cause: cause), body)
  }

  /// Runs `body`, which schedules what resumes that span: because of the code that runs, if that is another span's.
  public func resuming<Result>(_ span: Span, _ body: () -> Result) -> Result {
    let outer = causality
    guard span != outer.span else { return body() }
    let isByOther = outer.cause.kind == .itself && outer.span != .none
    return perform(
      by: Causality(span: span, cause: isByOther ? Cause(.wakeUp, outer.span) : outer.cause), body)
  }

  /// The code runs for that span from now on, until the job returns: for a job in which one span continues after
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

  /// What waits for the code on the thread's stack to return.
  @inline(__always)
  func withTrampoline<Result>(_ body: (Trampoline) -> Result) -> Result {
    storage.pointee.trampoline._withUnsafeGuaranteedRef(body)
  }

  /// Runs `body` at once for that span, because of that cause; what it leaves behind runs after it, or after what the
  /// lane is at.
  public func enter(for span: Span, because cause: Cause = .itself, _ body: () -> Void) {
    perform(by: Causality(span: span, cause: cause)) {
      withTrampoline { $0.enter(in: self, body) }
    }
  }

  /// The span on whose behalf the thread runs.
  public var span: Span { causality.span }

  /// Why the code does something to a span: to its own, or to another one.
  public func cause(for span: Span) -> Cause {
    causality.span == span ? causality.cause : causality.causeForOthers
  }

  /// Notes that the span has started whose code runs: what the code does from now on it does by itself.
  public func noteStart(of span: Span) {
    if causality.span == span { causality.cause = .itself }
  }

  /// The span that cancels what the code cancels.
  public var canceller: Cause { Cause(.cancellation, causality.actor) }

  /// The span that gives a permit which the code gives.
  public var giver: Span { causality.giver }

  /// Notes that the code continues because of a permit that another span has given: that is why it starts what it
  /// starts from now on, on this thread or by what it schedules.
  ///
  /// - Parameter wasBlocked: whether the thread was blocked until the permit was there.
  public func takePermit(from giver: Span, wasBlocked: Bool) {
    // Outside any span there is no frame at whose end it would be over.
    if causality.span != .none {
      causality.cause = Cause(wasBlocked ? .wakeUp : .permit, giver)
    }
  }

  /// Notes that the code has taken a permit that no other span has given. If its thread was blocked for that, no
  /// earlier permit is why it continues.
  public func takePermit(wasBlocked: Bool) {
    let kind = causality.cause.kind
    if wasBlocked, kind == .permit || kind == .wakeUp { causality.cause = .itself }
  }

  /// Runs what waits for the code on the stack to return. A runtime calls it before it blocks the thread, which may be
  /// about to wait for exactly that.
  public func willPark() { withTrampoline { $0.drain(in: self) } }

  /// The context of the calling thread.
  public static var current: LaneContext {
    let known = knownKey.load(ordering: .relaxed)
    if known != 0, let existing = pthread_getspecific(pthread_key_t(known - 1)) {
      return LaneContext(storage: existing.assumingMemoryBound(to: Storage.self))
    }
    return first()
  }

  /// The first time that a thread asks.
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

  /// One more than the key, once that is known: asking for what is made when it is needed costs more than
  /// all the rest.
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
