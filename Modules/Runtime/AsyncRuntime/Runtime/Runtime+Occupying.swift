extension Runtime {
  /// Occupies the calling worker until its thread has spent `duration` of CPU time.
  ///
  /// If that is not above zero it costs nothing on a live clock; a virtual clock lets others go first even for no time.
  public func work(for duration: Duration) { occupy(.working, for: duration, unless: nil) }

  /// Blocks the calling worker for `duration`. What waits for the code on its stack to return runs first.
  public func block(for duration: Duration) { occupy(.blocking, for: duration, unless: nil) }

  /// Occupies a worker of the pool as `activity` says, then runs `job` there.
  ///
  /// - Parameters:
  ///   - cancellation: ends it early; `job` runs then, too.
  ///   - begin: called on the worker as soon as there is one, unless it is cancelled by then. It must
  ///     not wait, nor schedule anything.
  public func occupy(
    _ activity: WorkerActivity, for duration: Duration, unless cancellation: Cancellation,
    begin: @escaping @Sendable () -> Void, then job: @escaping @Sendable () -> Void
  ) {
    if let virtual {
      return virtual.occupy(activity, for: duration, unless: cancellation, begin: begin, then: job)
    }
    LaneContext.current.scheduling(.start) {
      pool.schedule {
        if cancellation.isCancelled { return job() }
        begin()
        occupy(activity, for: duration, unless: cancellation)
        job()
      }
    }
  }
}
