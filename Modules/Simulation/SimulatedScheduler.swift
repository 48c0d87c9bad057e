import AsyncPatterns

/// The pool, the main lane, or a serial scheduler of a simulation.
struct SimulatedScheduler: Scheduler, @unchecked Sendable {
  // Safe to share: the strand in `target` is touched by the holder of the baton only.
  let loop: EventLoop
  let target: Target

  var now: Instant { loop.now }

  func schedule(_ job: @escaping @Sendable () -> Void) {
    let context = LaneContext.current
    let job = Job(job, in: context)
    if loop.isCarried(in: context) {
      loop.enqueue(.job(job), for: target)
    } else {
      loop.inbox.post { $0.enqueue(.job(job), for: self.target) }
    }
  }

  func schedule(
    after delay: Duration, _ job: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    let context = LaneContext.current
    let timer = Timer(Job(job, in: context), for: target, of: loop)
    let deadline = loop.now.advanced(by: delay)
    if loop.isCarried(in: context) {
      loop.add(timer, at: deadline)
    } else {
      loop.inbox.post { $0.add(timer, at: deadline) }
    }
    return timer
  }
}
