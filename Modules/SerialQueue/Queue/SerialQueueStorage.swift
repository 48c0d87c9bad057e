/// The lock and the effects of a serial queue: it does what its state decides, after the lock.
final class SerialQueueStorage: Sendable {
  typealias State = SerialQueueState<QueuedItem, @Sendable () -> Void>

  let label: String
  let placement: Placement
  let runtime: any Runtime
  private let state = Locked(State())

  init(label: String, placement: Placement, runtime: any Runtime) {
    self.label = label
    self.placement = placement
    self.runtime = runtime
  }

  /// Decides under the lock, which also guards what the items say it guards.
  func withLock<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
    state.withLock { body(&$0) }
  }

  func enqueue(_ item: QueuedItem) {
    if withLock({ $0.enqueue(item) }) { drain() }
  }

  func perform(_ consequence: State.Consequence) {
    for waiter in consequence.waiters { waiter() }
    if consequence.drains { drain() }
  }

  /// Starts one item after another, where the queue's items run, until one is left running or none is
  /// left. An item that ends before its work has returned needs no further stack: the loop goes on.
  private func drain() {
    placement.run(on: runtime) { [self] in
      while let item = withLock({ $0.next() }) { item.start() }
    }
  }

  /// Where asynchronous functions of the queue run.
  var executor: SchedulerExecutor {
    switch placement {
    case .main: SchedulerExecutor(runtime.main)
    case .pool, .inline: SchedulerExecutor(runtime.pool)
    case .scheduler(let scheduler): SchedulerExecutor(scheduler)
    }
  }
}
