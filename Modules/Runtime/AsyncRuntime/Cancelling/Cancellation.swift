import Synchronization

/// Whether something is to stop, and who wants to be told. A child stops with its parent.
///
/// Every handler is told once, on the thread that cancels, and never under a lock. A child holds its
/// parent, and the parent does not hold the child.
public final class Cancellation: Sendable {
  /// The bits of the cause, once it has been cancelled; those of `.itself` until then.
  private let state = Atomic(Cause.itself.bits)
  /// Which pattern first started a step under it, and which one it last started, in a traced run: their spans.
  private let started = Atomic<UInt64>(0)
  /// The work whose trace records what it cancels, if any.
  private let work: (any TracedWork)?
  /// When it was cancelled, in a traced run.
  private let nanoseconds = Atomic<Int64>(0)
  private let handlers = Locked(HandlerList())
  /// Held, since through it come the cancellations of those above it.
  private let parent: Cancellation?
  /// Takes this one out of its parent when nobody holds it any more.
  private let parentRegistration: Registration?

  /// - Parameter parent: what stops this one, too. Cancelled already, it makes this one so.
  public convenience init(parent: Cancellation? = nil) { self.init(parent: parent, of: nil) }

  /// - Parameter work: whose trace records what it cancels.
  public init(parent: Cancellation?, of work: (any TracedWork)?) {
    self.parent = parent
    self.work = work
    guard let parent else {
      parentRegistration = nil
      return
    }
    let child = WeakCancellation()
    parentRegistration = parent.onCancel { [unowned parent] in
      if let cause = parent.cause { child.cancellation?.cancel(because: cause) }
    }
    child.cancellation = self
    if let cause = parent.cause { cancel(because: cause) }
  }

  deinit { parentRegistration?.dispose() }

  /// Whether it has been cancelled; true before the first handler is told.
  public var isCancelled: Bool { cause != nil }

  /// The span that has cancelled it; nil if none has.
  public var cause: Cause? {
    let bits = state.load(ordering: .acquiring)
    return bits == Cause.itself.bits ? nil : Cause(bits: bits)
  }

  /// Tells everybody who asked, in the order they asked, on the calling thread. Once only: a second
  /// call returns at once, even while the first one is still telling.
  ///
  /// - Complexity: O(*n*) for *n* handlers.
  public func cancel() {
    cancel(because: LaneContext.current.canceller)
  }

  /// What has cancelled it, and when, in a traced run; nil if nothing has.
  public var record: (by: Cause, at: Instant)? {
    cause.map { ($0, Instant(nanoseconds: nanoseconds.load(ordering: .relaxed))) }
  }

  private func cancel(because cause: Cause) {
    if let work, work.trace != nil, !isCancelled {
      nanoseconds.store(work.now.nanoseconds, ordering: .relaxed)
    }
    let (isFirst, _) = state.compareExchange(
      expected: Cause.itself.bits, desired: cause.bits, ordering: .acquiringAndReleasing)
    guard isFirst else { return }
    if let work, let trace = work.trace {
      recordTimeout(because: cause, in: .current, at: work.now, trace)
    }
    // One at a time: whoever is told may dispose of what another one asked for.
    while let handler = handlers.withLock({ $0.popFirst() }) { handler() }
  }

  /// Notes that a pattern has started a step which this one cancels, so that the trace tells what a timer of the pattern
  /// cancels. The outermost such pattern counts.
  public func noteStart(of step: Span, in pattern: Span) {
    let known = started.load(ordering: .relaxed) >> 32
    guard known == 0 || known == UInt64(pattern.id) else { return }
    started.store(UInt64(pattern.id) << 32 | UInt64(step.id), ordering: .relaxed)
  }

  /// Records the step that a timer of its pattern cancels. What the pattern does next it does because of that.
  private func recordTimeout(
    because cause: Cause, in context: LaneContext, at now: Instant, _ trace: any TraceSink
  ) {
    let started = started.load(ordering: .relaxed)
    let (pattern, step) = (
      Span(id: UInt32(started >> 32)), Span(id: UInt32(truncatingIfNeeded: started))
    )
    guard step != .none, context.causality.isByTimer(of: pattern) else { return }
    trace.record(.cancelled(step, because: cause, at: now))
    context.causality.cause = Cause(.end, step)
  }

  /// Calls `handler` once on cancellation, at once if that has been.
  ///
  /// Whoever no longer wants to be told disposes of the registration, or `handler` is kept until then.
  @discardableResult
  public func onCancel(_ handler: @escaping @Sendable () -> Void) -> Registration {
    guard let handler = add(HandlerList.Handler.closure(handler)) else {
      return Registration(cancellation: nil, handler: nil)
    }
    return Registration(cancellation: self, handler: handler)
  }

  /// A handler's place among those to be told.
  public struct Registration: Sendable {
    fileprivate weak let cancellation: Cancellation?
    fileprivate let handler: UInt64?

    /// The handler will not be called from now on, unless it is being called.
    public func dispose() {
      if let handler { cancellation?.remove(handler) }
    }
  }

  // MARK: For who holds the cancellation anyway

  /// Cancels `cancellable` on cancellation, or at once (nil) if that has been.
  ///
  /// - Returns: a number to remove it by.
  public func add(_ cancellable: any Cancellable) -> UInt64? { add(.cancellable(cancellable)) }

  private func add(_ handler: HandlerList.Handler) -> UInt64? {
    let added = handlers.withLock { handlers -> UInt64? in
      // Under the lock, so that `cancel` either sees the handler or is seen here.
      isCancelled ? nil : handlers.append(handler)
    }
    if added == nil { handler() }
    return added
  }

  /// Removes what was added, by its number. It is not cancelled from now on, unless it is being cancelled.
  public func remove(_ handler: UInt64) {
    // Out of the lock before it is released: what the handler holds may run code of its own.
    let removed = handlers.withLock { $0.remove(handler) }
    _ = removed
  }
}

/// Work that a trace may record, such as the run of a composition.
public protocol TracedWork: AnyObject, Sendable {
  /// What records it, if anything does.
  var trace: (any TraceSink)? { get }
  /// The time on its clock.
  var now: Instant { get }
}

/// Breaks the circle between a child that is being made and its parent.
private final class WeakCancellation: Sendable {
  private struct Reference: Sendable { weak var cancellation: Cancellation? }
  private let reference = Locked(Reference())

  var cancellation: Cancellation? {
    get { reference.withLock { $0.cancellation } }
    set { reference.withLock { $0.cancellation = newValue } }
  }
}
