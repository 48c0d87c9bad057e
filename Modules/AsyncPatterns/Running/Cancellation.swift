import Synchronization

/// Whether something is to stop, and who wants to be told. A child stops with its parent.
///
/// Every handler is told once, on the thread that cancels, and never under a lock. A child holds its
/// parent, and the parent does not hold the child.
public final class Cancellation: Sendable {
  /// Whether it has been cancelled, and by what.
  private enum State: UInt8, AtomicRepresentable {
    case pending, cancelled
    /// In code that runs since a timer has gone off.
    case byTimer
  }

  private let state = Atomic(State.pending)
  /// Which pattern first started a step under it, and which one it last started, where that is traced: their spans.
  private let started = Atomic<UInt64>(0)
  private let handlers = Locked(HandlerList())
  /// Held, since through it come the cancellations of those above it.
  private let parent: Cancellation?
  /// Takes this one out of its parent when nobody holds it any more.
  private let parentRegistration: Registration?

  /// - Parameter parent: what stops this one, too. Cancelled already, it makes this one so.
  public init(parent: Cancellation? = nil) {
    self.parent = parent
    guard let parent else {
      parentRegistration = nil
      return
    }
    let child = WeakCancellation()
    parentRegistration = parent.onCancel { child.cancellation?.cancel() }
    child.cancellation = self
    let state = parent.state.load(ordering: .acquiring)
    if state != .pending { cancel(state) }
  }

  deinit { parentRegistration?.dispose() }

  /// Whether it has been cancelled; true before the first handler is told.
  public var isCancelled: Bool { state.load(ordering: .acquiring) != .pending }

  /// Whether a timer has cancelled it.
  var isByTimer: Bool { state.load(ordering: .acquiring) == .byTimer }

  /// Tells everybody who asked, in the order they asked, on the calling thread. Once only: a second
  /// call returns at once, even while the first one is still telling.
  ///
  /// - Complexity: O(*n*) for *n* handlers.
  public func cancel() {
    cancel(LaneContext.current.isByTimer ? .byTimer : .cancelled)
  }

  private func cancel(_ cancelled: State) {
    let (isFirst, _) = state.compareExchange(
      expected: .pending, desired: cancelled, ordering: .acquiringAndReleasing)
    guard isFirst else { return }
    if cancelled == .byTimer { noteCut(in: .current) }
    // One at a time: whoever is told may dispose of what another one asked for.
    while let handler = handlers.withLock({ $0.popFirst() }) { handler() }
  }

  /// Notes that a pattern has started a step which this one cancels. The outermost such pattern counts.
  func noteStart(of step: Span, in pattern: Span) {
    let known = started.load(ordering: .relaxed) >> 32
    guard known == 0 || known == UInt64(pattern.id) else { return }
    started.store(UInt64(pattern.id) << 32 | UInt64(step.id), ordering: .relaxed)
  }

  /// What the pattern whose timer has gone off does next it does because that has cut the step off.
  private func noteCut(in context: LaneContext) {
    let started = started.load(ordering: .relaxed)
    let (pattern, step) = (
      Span(id: UInt32(started >> 32)), Span(id: UInt32(truncatingIfNeeded: started))
    )
    if step != .none, context.isByTimer(of: pattern) { context.cutOff(step) }
  }

  /// Calls `handler` once on cancellation, at once if that has been.
  ///
  /// Whoever no longer wants to be told disposes of the registration, or `handler` is kept until then.
  @discardableResult
  public func onCancel(_ handler: @escaping @Sendable () -> Void) -> Registration {
    guard let handler = add(.closure(handler)) else {
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

  /// Calls `handler` on cancellation, or at once (nil) if that has been.
  ///
  /// - Returns: the handler's number, to remove it by.
  func add(_ handler: HandlerList.Handler) -> UInt64? {
    let added = handlers.withLock { handlers -> UInt64? in
      // Under the lock, so that `cancel` either sees the handler or is seen here.
      isCancelled ? nil : handlers.append(handler)
    }
    if added == nil { handler() }
    return added
  }

  func remove(_ handler: UInt64) {
    // Out of the lock before it is released: what the handler holds may run code of its own.
    let removed = handlers.withLock { $0.remove(handler) }
    _ = removed
  }
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
