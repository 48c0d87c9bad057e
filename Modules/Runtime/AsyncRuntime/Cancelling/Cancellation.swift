import Synchronization

/// Tells whether work was cancelled, and calls handlers when it is. Cancelling a parent cancels its
/// children.
///
/// Each handler is called once, on the thread that cancels, and never under a lock. A child retains its parent. The
/// parent does not retain the child.
public final class Cancellation: Sendable {
  /// The bits of the cause, after the cancellation. Before it, the bits of `.itself`.
  private let state = Atomic(Cause.itself.bits)
  /// In a traced run: the span of the first pattern that started a step under this object (high half). The low half is
  /// the span of the latest step of that pattern.
  private let started = Atomic<UInt64>(0)
  /// The work whose trace records the steps that this object cancels.
  private let work: (any TracedWork)?
  /// The time of the cancellation; the least value if it is unknown.
  private let nanoseconds = Atomic<Int64>(.min)
  private let handlers = Locked(HandlerList())
  /// The parent is retained, since the cancellation of an ancestor reaches this object through the parent.
  private let parent: Cancellation?
  /// The number of this object among the handlers of its parent, from which it removes itself when it is released.
  private let numberInParent: UInt64?

  /// - Parameter parent: cancelling it cancels this object. If it was cancelled before, this object
  ///   is cancelled from the start.
  public convenience init(parent: Cancellation? = nil) { self.init(parent: parent, of: nil) }

  /// - Parameter work: the work whose trace records the steps that this object cancels.
  public init(parent: Cancellation?, of work: (any TracedWork)?) {
    self.parent = parent
    self.work = work
    guard let parent else {
      numberInParent = nil
      return
    }
    let child = WeakCancellation()
    numberInParent = parent.add(.child(child))
    child.cancellation = self
    if let cause = parent.cause { cancel(because: cause) }
  }

  deinit {
    if let numberInParent { parent?.remove(numberInParent) }
  }

  /// Whether it was cancelled. True before the first handler is called.
  public var isCancelled: Bool { cause != nil }

  /// The cause of the cancellation; nil if there was none.
  public var cause: Cause? {
    let bits = state.load(ordering: .acquiring)
    return bits == Cause.itself.bits ? nil : Cause(bits: bits)
  }

  /// Calls all handlers on the calling thread, in the order in which they were added. Only the
  /// first call does so. A later call returns immediately, even while the first one still calls
  /// handlers.
  ///
  /// - Complexity: O(*n*) for *n* handlers.
  public func cancel() {
    cancel(because: LaneContext.current.canceller)
  }

  /// The cause and the time of the cancellation. Nil if there was none. The time is known only in a traced run.
  public var record: (by: Cause, at: Instant?)? {
    cause.map { cause in
      let nanoseconds = nanoseconds.load(ordering: .relaxed)
      return (cause, nanoseconds == .min ? nil : Instant(nanoseconds: nanoseconds))
    }
  }

  /// Cancels at a known time, for the trace.
  package func cancel(at time: Instant) {
    if !isCancelled { nanoseconds.store(time.nanoseconds, ordering: .relaxed) }
    cancel()
  }

  private func cancel(because cause: Cause) {
    guard begin(because: cause) else { return }
    // A loop, since a recursion would overflow the stack if many are nested.
    var (current, ancestors) = (self, [Cancellation]())
    while true {
      // One at a time: a handler may remove another one.
      if let handler = current.handlers.withLock({ $0.popFirst() }) {
        guard case .child(let child) = handler else {
          handler()
          continue
        }
        guard let child = child.cancellation, child.begin(because: cause) else { continue }
        ancestors.append(current)
        current = child
      } else if let parent = ancestors.popLast() {
        current = parent
      } else {
        return
      }
    }
  }

  /// Notes the cancellation.
  ///
  /// - Returns: false if it was cancelled before.
  private func begin(because cause: Cause) -> Bool {
    if let work, work.trace != nil, !isCancelled {
      nanoseconds.store(work.now.nanoseconds, ordering: .relaxed)
    }
    let (isFirst, _) = state.compareExchange(
      expected: Cause.itself.bits, desired: cause.bits, ordering: .acquiringAndReleasing)
    guard isFirst else { return false }
    if let work, let trace = work.trace {
      recordTimeout(because: cause, in: .current, at: work.now, trace)
    }
    return true
  }

  /// Notes that a pattern has started a step which this object cancels. The trace can then record
  /// which step a timer of the pattern cancels. If patterns are nested, the outermost one counts.
  public func noteStart(of step: Span, in pattern: Span) {
    let known = started.load(ordering: .relaxed) >> 32
    guard known == 0 || known == UInt64(pattern.id) else { return }
    started.store(UInt64(pattern.id) << 32 | UInt64(step.id), ordering: .relaxed)
  }

  /// Records the step that a timer of its pattern cancels. This step becomes the cause of the
  /// pattern's next effects.
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

  /// Calls `handler` once on cancellation, or immediately if it was cancelled before.
  ///
  /// The handler is retained until it is called. Dispose of the registration to release it earlier.
  @discardableResult
  public func onCancel(_ handler: @escaping @Sendable () -> Void) -> Registration {
    guard let handler = add(HandlerList.Handler.closure(handler)) else {
      return Registration(cancellation: nil, handler: 0)
    }
    return Registration(cancellation: self, handler: handler)
  }

  /// Removes a handler.
  public struct Registration: Sendable {
    fileprivate weak let cancellation: Cancellation?
    fileprivate let handler: UInt64

    /// Removes the handler. It is not called from now on, unless a call has begun.
    public func dispose() { cancellation?.remove(handler) }
  }

  /// Releases all handlers without calling them. For an object that nothing will cancel.
  package func releaseHandlers() {
    // Released outside the lock: the `deinit` of an object that a handler retains may run any code.
    let removed = handlers.withLock { $0.removeAll() }
    _ = removed
  }

  // MARK: Handlers by number

  /// Cancels `cancellable` on cancellation, or immediately if it was cancelled before.
  ///
  /// - Returns: a number for ``remove(_:)``; nil if it was cancelled immediately.
  public func add(_ cancellable: any Cancellable) -> UInt64? { add(.cancellable(cancellable)) }

  private func add(_ handler: HandlerList.Handler) -> UInt64? {
    let added = handlers.withLock { handlers -> UInt64? in
      // Under the lock: either `cancel` sees the handler, or this code sees the cancellation.
      isCancelled ? nil : handlers.append(handler)
    }
    if added == nil { handler() }
    return added
  }

  /// Removes the handler or object that was added under this number. It is not called from now on,
  /// unless a call has begun.
  public func remove(_ handler: UInt64) {
    // Released outside the lock: the `deinit` of an object that the handler retains may run any
    // code.
    let removed = handlers.withLock { $0.remove(handler) }
    _ = removed
  }
}

/// Work that a trace may record, such as the run of a composition.
public protocol TracedWork: AnyObject, Sendable {
  /// The trace that records it; nil if none does.
  var trace: (any TraceSink)? { get }
  /// The time on its clock.
  var now: Instant { get }
}

/// Breaks the reference cycle between a child in its initializer and its parent.
final class WeakCancellation: Sendable {
  private struct Reference: Sendable { weak var cancellation: Cancellation? }
  private let reference = Locked(Reference())

  var cancellation: Cancellation? {
    get { reference.withLock { $0.cancellation } }
    set { reference.withLock { $0.cancellation = newValue } }
  }
}
