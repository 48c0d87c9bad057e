public import AsyncRuntime

/// A transaction queue behind its lock. It performs the actions that its state decides on, after it
/// has released the lock.
@usableFromInline final class TransactionStorage: Sendable {
  let label: String
  let loop: any RunLoopScheduler
  let runtime: any Runtime
  private let options: Options
  private let isTraced: Bool
  private let state = Locked(TransactionState())
  let flushes = Broadcast<FlushMetrics>()
  /// The registration of the flush at the end of each turn; nil once the queue has been released
  /// and nothing is waiting.
  private let registration = Locked<(any Cancellable)?>(nil)

  struct Options: Sendable {
    var batchLimit: Int?
    var cycleLimit: Int?
    var budget: TurnBudget?
    var onFlush: (@Sendable (FlushMetrics) -> Void)?
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
    // The action retains the storage, so that transactions are performed even if the queue is released after their
    // commits.
    let action = loop.atEndOfTurn(order: order) { self.flushAtEndOfTurn() }
    registration.withLock { $0 = action }
  }

  deinit {
    // Transactions are left only if the loop itself has been released. They are released one by one, outside the lock.
    while state.withLock({ $0.removeNext() }) != nil {}
  }

  private func endWatching() {
    let action = registration.withLock { registration in
      defer { registration = nil }
      return registration
    }
    action?.cancel()
    flushes.finish()
  }

  /// Notes that the queue has been released.
  func abandon() {
    if state.withLock({ $0.abandon() }) { endWatching() }
  }

  var count: Int { state.withLock { $0.count } }
  var metrics: TransactionMetrics { state.withLock { $0.metrics } }

  // MARK: Committing

  /// - Returns: the number of the commit; 0 if it was refused.
  @usableFromInline
  func commit(
    _ target: any AnyObject & Sendable, _ action: ActionBody, _ priority: Priority,
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
      $0.commit(target, action, priority.level, origin, site, lineage)
    }
    if committed.wakes {
      if let trace = runtime.trace {
        trace.record(.mark("woken", label, role: .loopWoken, of: origin.span, at: runtime.now))
      }
      loop.wake()
    }
    return committed.number
  }

  /// The cycle limit, if it makes the queue refuse a commit by the calling thread now; otherwise nil.
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

  func cancel(_ number: UInt64, _ target: ObjectIdentifier, _ action: ActionBody) -> Bool {
    if number == 0 { return false }
    let (cancelled, isFinished) = state.withLock { $0.cancel(number, target, action) }
    if isFinished { endWatching() }
    // The removed transaction is released here, outside the lock.
    return cancelled?.wasPending ?? false
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

  /// Performs all waiting transactions, whatever time is left in the turn.
  func flushNow() -> FlushMetrics? { flush(atMost: nil, until: nil) }

  /// Performs waiting transactions, on the loop.
  ///
  /// - Parameters:
  ///   - limit: the maximum number of transactions.
  ///   - deadline: no transaction starts after this time, except the first one, which always starts.
  /// - Returns: nil if there was nothing to perform, or a flush is running.
  private func flush(atMost limit: Int?, until deadline: Instant?) -> FlushMetrics? {
    guard state.withLock({ $0.beginFlush() }) else { return nil }
    let start = loop.now
    let spentBefore = options.budget?.spent ?? .zero
    let context = LaneContext.current
    let performing = CommitLineage.Performing()
    // Only set for `onFlush`.
    var last: CommitLineage.Entry?
    var count = 0
    while count < limit ?? .max {
      if count > 0, let deadline, loop.now >= deadline { break }
      guard let next = state.withLock({ $0.next() }) else { break }
      count += 1
      let entry = CommitLineage.Entry(next)
      if options.onFlush != nil { last = entry }
      performing.perform(entry, in: context) {
        if isTraced {
          context.perform(from: next.origin, on: runtime) { next.action.perform(next.target) }
        } else {
          next.action.perform(next.target)
        }
      }
    }
    let end = loop.now
    let flushed = state.withLock { $0.endFlush(from: start, to: end) }
    flushes.send(flushed.metrics)
    if flushed.wakes { loop.wake() }
    if flushed.isFinished { endWatching() }
    if let onFlush = options.onFlush, let last {
      performing.perform(last, in: context) { onFlush(flushed.metrics) }
    }
    if let budget = options.budget {
      // Other queues that were flushed in the meantime have already spent their own time.
      let within = budget.spent - spentBefore
      budget.spend(max(start.duration(to: loop.now) - within, .zero))
    }
    return flushed.metrics
  }
}
