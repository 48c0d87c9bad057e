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
    var transaction: UnsafeRawPointer?
    var chains = RunningChains()
    // Without counting: it is there until what it runs has returned.
    var due: Unmanaged<DueTime>?
    var waited = Span.none
    var schedulesStart = false
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
  package var carried: UnsafeRawPointer? {
    get { storage.pointee.carried }
    nonmutating set { storage.pointee.carried = newValue }
  }

  /// The transaction whose action the thread runs, as the library of transactions wants it.
  package var transaction: UnsafeRawPointer? {
    get { storage.pointee.transaction }
    nonmutating set { storage.pointee.transaction = newValue }
  }

  /// What was due and runs on the thread, a timer's code or what it hopped to, where somebody traces.
  var due: Unmanaged<DueTime>? {
    get { storage.pointee.due }
    nonmutating set { storage.pointee.due = newValue }
  }

  /// Whose wait for the lane the job has told of that runs, if any.
  var waited: Span {
    get { storage.pointee.waited }
    nonmutating set { storage.pointee.waited = newValue }
  }

  /// Whether what is being scheduled is a step's start.
  var schedulesStart: Bool { storage.pointee.schedulesStart }

  /// Runs `body`, which schedules the start of a step: since when that waits is known without being told.
  func schedulingStart(_ body: () -> Void) {
    storage.pointee.schedulesStart = true
    body()
    storage.pointee.schedulesStart = false
  }

  /// Runs `body` on behalf of `span`.
  package func perform(for span: Span, _ body: () -> Void) {
    perform(by: Causality(span: span), body)
  }

  /// Runs `body` on behalf of whom, and because of what, is given.
  @inline(__always)
  func perform(by cause: Causality, _ body: () -> Void) {
    let outer = causality
    causality = cause
    body()
    causality = outer
  }

  /// Whose jobs and handlers the thread runs. Only for use on the thread.
  package var chains: UnsafeMutablePointer<RunningChains> {
    // A key path into a structure of stored properties: there is such an address.
    guard let chains = storage.pointer(to: \.chains) else {
      preconditionFailure("a stored property has an address")
    }
    return chains
  }

  /// What waits for the code on the thread's stack to return.
  @inline(__always)
  func withTrampoline<Result>(_ body: (Trampoline) -> Result) -> Result {
    storage.pointee.trampoline._withUnsafeGuaranteedRef(body)
  }

  /// Runs `body` at once; what it leaves behind runs after it, or after what the lane is at.
  func enter(_ body: () -> Void) { withTrampoline { $0.enter(in: self, body) } }

  /// The span on whose behalf the thread runs.
  public var span: Span { causality.span }

  /// The span whose end made the code run; `.none` if it runs because of none, or of a timer that no end had set and that
  /// has cut that one off.
  package var cause: Span { causality.way == .cutOff ? .none : causality.ended }

  /// Notes that a timer which has gone off has cut a span off.
  func cutOff(_ cut: Span) {
    causality.cutOff(cut)
    due?._withUnsafeGuaranteedRef { $0.tellCutOff(of: cut, isLate: waited != .none) }
  }

  /// Who gives a permit that the code gives: what has just ended, if its end is why, or the code's own span.
  package var giver: Span { causality.ended == .none ? causality.span : causality.ended }

  /// Notes that the code runs since a timer has gone off.
  func goOffTimer() { if causality.span != .none { causality.goOffTimer() } }

  /// Whether the code runs since a timer has gone off.
  var isByTimer: Bool { causality.isByTimer }

  /// Whether the code runs on behalf of a span since a timer of that has gone off.
  func isByTimer(of span: Span) -> Bool { causality.span == span && causality.isByTimer }

  /// Notes that the code goes on because of a permit that another span has given: that is what lets it start what
  /// it starts from now on, on this thread or by what it schedules.
  ///
  /// - Parameter parked: whether the thread stood parked until the permit was there.
  package func takePermit(from giver: Span, parked: Bool) {
    // Outside any span there is no frame at whose end it would be over.
    if causality.span != .none { causality.takePermit(from: giver, parked: parked) }
  }

  /// Notes that the code has taken a permit that no other span has given. If its thread stood parked for that, no
  /// permit that it had taken before is why it goes on.
  package func tookPermitOfNobody(parked: Bool) {
    if parked, causality.isByPermit { causality = Causality(span: causality.span) }
  }

  /// Runs what waits for the code on the stack to return. A runtime calls it before it parks the
  /// thread: who parks may be waiting for just that.
  public func willPark() { withTrampoline { $0.drain(in: self) } }

  /// That of the calling thread.
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

  /// A lane that nobody has had yet.
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
      typed.deinitialize(count: 1)
      typed.deallocate()
    }
    return key
  }()
}

/// What the code on a thread's stack belongs to, as far as a library of chains wants to know.
package struct RunningChains {
  /// Where the job that runs was scheduled to: what wants to go there is there.
  package var job: UnsafeRawPointer?
  /// What the handler that runs belongs to.
  package var handler: UnsafeRawPointer?
  /// Whose listeners are being told, and which of them are left.
  package var telling: UnsafeMutableRawPointer?
}
