import AsyncRuntime

/// A queue's lock and effects: it asks the state what is to be done, and does it after the lock.
@usableFromInline final class TransactionStorage: Sendable {
  let label: String
  let loop: any RunLoopScheduler
  let runtime: any Runtime
  private let options: Options
  private let isTraced: Bool
  private let state = Locked(TransactionState())
  /// What it does at the end of each turn; until nobody holds the queue, and nothing waits in it.
  private let registration = Locked<(any Cancellable)?>(nil)

  struct Options: Sendable {
    var batchLimit: Int?
    var cycleLimit: Int?
    var budget: TurnBudget?
    var onFlush: (@Sendable (FlushFigures) -> Void)?
  }

  init(
    _ label: String, on loop: any RunLoopScheduler, _ options: Options, runtime: any Runtime
  ) {
    self.label = label
    self.loop = loop
    self.options = options
    self.runtime = runtime
    isTraced = runtime.trace != nil
  }

  func beginWatching(order: Int) {
    // It holds the storage, so that nothing is lost that somebody has committed before letting go of the queue.
    let action = loop.atEndOfTurn(order: order) { self.flushAtEndOfTurn() }
    registration.withLock { $0 = action }
  }

  deinit {
    // Only if the loop itself has gone: one after another, outside of the lock.
    while state.withLock({ $0.removeNext() }) != nil {}
  }

  private func endWatching() {
    let action = registration.withLock { registration in
      defer { registration = nil }
      return registration
    }
    action?.cancel()
  }

  /// Nobody holds the queue any longer.
  func abandon() {
    if state.withLock({ $0.abandon() }) { endWatching() }
  }

  var count: Int { state.withLock { $0.count } }
  var figures: TransactionFigures { state.withLock { $0.figures } }

  // MARK: Committing

  /// - Returns: the number of the commit; 0 if it is refused.
  @usableFromInline
  func commit(
    _ target: any AnyObject & Sendable, _ action: ActionBody, _ priority: TransactionPriority,
    file: StaticString, line: UInt
  ) -> UInt64 {
    let site = CommitSite(file: file, line: line)
    let context = LaneContext.current
    var lineage: CommitLineage?
    if context.transaction != nil {
      lineage = .current(in: context)
      if let lineage, let limit = options.cycleLimit, lineage.depth > limit {
        refuse(target, action, site, lineage, context.span)
        return 0
      }
    }
    let origin = isTraced ? context.origin(on: loop) : .none
    let committed = state.withLock {
      $0.commit(target, action, priority, origin, site, lineage)
    }
    if committed.wakes {
      if let trace = runtime.trace {
        trace.record(.mark("woken", label, role: .loopWoken, of: origin.span, at: runtime.now))
      }
      loop.wake()
    }
    return committed.number
  }

  /// The limit that makes it refuse what the calling thread commits now; nil if it does not.
  var refusingLimit: Int? {
    guard let limit = options.cycleLimit,
      let lineage = CommitLineage.current(in: LaneContext.current), lineage.depth > limit
    else { return nil }
    return limit
  }

  private func refuse(
    _ target: any AnyObject & Sendable, _ action: ActionBody, _ site: CommitSite,
    _ lineage: CommitLineage, _ span: Span
  ) {
    state.withLock { $0.refuse() }
    let report = lineage.report(refusing: target, action, at: site)
    runtime.misuse("commit-cycle", "queue “\(label)”: \(report)", of: span)
  }

  func withdraw(_ number: UInt64, _ target: ObjectIdentifier, _ action: ActionBody) -> Bool {
    if number == 0 { return false }
    let (withdrawal, isOver) = state.withLock { $0.withdraw(number, target, action) }
    if isOver { endWatching() }
    // What it held goes here, outside of the lock.
    return withdrawal?.stood ?? false
  }

  // MARK: Flushing

  private func flushAtEndOfTurn() {
    guard let budget = options.budget else {
      _ = flush(atMost: options.batchLimit, until: nil)
      return
    }
    let deadline = loop.now.advanced(by: max(budget.left, .zero))
    _ = flush(atMost: options.batchLimit, until: deadline)
  }

  /// Performs all that waits, whatever is left of the turn.
  func flushNow() -> FlushFigures? { flush(atMost: nil, until: nil) }

  /// Performs what waits, on the loop.
  ///
  /// - Parameters:
  ///   - limit: how many, at most.
  ///   - deadline: from when on no further one begins; the first one begins in any case.
  /// - Returns: nil if there was nothing to perform, or a flush is under way.
  private func flush(atMost limit: Int?, until deadline: Instant?) -> FlushFigures? {
    guard state.withLock({ $0.beginFlush() }) else { return nil }
    let start = loop.now
    let spentBefore = options.budget?.spent ?? .zero
    let context = LaneContext.current
    let performing = CommitLineage.Performing()
    // Kept only for who is told of the flush.
    var last: PendingTransaction?
    var count = 0
    while count < limit ?? .max {
      if count > 0, let deadline, loop.now >= deadline { break }
      guard let next = state.withLock({ $0.next() }) else { break }
      count += 1
      if options.onFlush != nil { last = next }
      performing.perform(next, in: context) {
        if isTraced {
          context.perform(from: next.origin, on: runtime) { next.action.perform(next.target) }
        } else {
          next.action.perform(next.target)
        }
      }
    }
    let end = loop.now
    let flushed = state.withLock { $0.endFlush(from: start, to: end) }
    if flushed.wakes { loop.wake() }
    if flushed.isOver { endWatching() }
    if let onFlush = options.onFlush, let last {
      performing.perform(last, in: context) { onFlush(flushed.figures) }
    }
    if let budget = options.budget {
      // Other queues that were flushed meanwhile have spent their part themselves.
      let within = budget.spent - spentBefore
      budget.spend(max(start.duration(to: loop.now) - within, .zero))
    }
    return flushed.figures
  }
}
