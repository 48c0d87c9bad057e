extension LaneContext {
  /// Runs `body` immediately. If the lane is already running code of `perform`, `body` runs as soon as that code has
  /// returned. In both cases it runs on behalf of the calling code.
  public func perform(_ body: @escaping () -> Void) {
    withTrampoline { $0.run(.body(body, causality), in: self) }
  }

  /// Runs `work` immediately. If the lane is already running code of `perform`, `work` runs as soon as that code has
  /// returned. In both cases it runs on behalf of the calling code.
  public func perform(_ work: any LaneWork) {
    withTrampoline { trampoline in
      if trampoline.isRunning {
        trampoline.run(.work(work, causality), in: self)
      } else {
        trampoline.enter(in: self) { perform(by: causality) { work.run(in: self) } }
      }
    }
  }

  /// Whether the lane is running code of `perform`, so that other such code is deferred.
  public var isPerforming: Bool { withTrampoline { $0.isRunning } }

  /// Runs `body` immediately, and then the code that `body` defers. This also holds inside code of `perform`, because
  /// the code of `perform` waits for `body`.
  public func performNested(_ body: () -> Void) {
    withTrampoline { trampoline in
      let isNested = trampoline.isRunning
      trampoline.enter(in: self, body)
      if isNested { trampoline.drain(in: self) }
    }
  }

  /// Defers the code of `perform` until `endPerforming`. The lane must not be running such code.
  public func beginPerforming() { withTrampoline { $0.isRunning = true } }

  /// Runs the code that was deferred since `beginPerforming`.
  public func endPerforming() {
    withTrampoline { trampoline in
      trampoline.drain(in: self)
      trampoline.isRunning = false
    }
  }

  // MARK: Work that follows a job

  /// Runs a job of the serial scheduler with the identity `scheduler`, and then the work that follows it. A serial
  /// scheduler that runs its jobs in this way saves promises a hop.
  public func run(_ job: Job, of scheduler: ObjectIdentifier?) {
    let outer = self.scheduler
    self.scheduler = scheduler
    withTrampoline { trampoline in
      // Inside another job, the work that follows that job must not run yet.
      let first = trampoline.followingCount
      job.run(in: self)
      trampoline.runFollowing(from: first, in: self)
    }
    self.scheduler = outer
  }

  /// Runs `work` after the running job of ``scheduler``, and before the scheduler's next job. Call it only in a job of
  /// ``scheduler``.
  public func performAfterJob(_ work: any LaneWork) {
    withTrampoline { $0.follow(.work(work, causality)) }
  }
}
