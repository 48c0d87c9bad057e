extension Runtime {
  /// Occupies the calling worker until its thread has spent `duration` of CPU time.
  ///
  /// A duration of zero or less costs nothing on a live clock. On a virtual clock, the jobs that are ready still run
  /// before the call returns.
  public func work(for duration: Duration) { occupy(.working, for: duration, cancellation: nil) }

  /// Blocks the calling worker for `duration`. The deferred code of the thread runs first: see
  /// ``LaneContext``.
  public func block(for duration: Duration) { occupy(.blocking, for: duration, cancellation: nil) }

  /// Occupies a worker of the pool as `activity` says, then runs `job` there.
  ///
  /// - Parameters:
  ///   - cancellation: ends the occupation early. `job` runs even then.
  ///   - begin: called on the worker as soon as there is one, unless the occupation is cancelled by
  ///     then. It must not wait or schedule anything.
  public func occupy(
    _ activity: WorkerActivity, for duration: Duration, cancellation: Cancellation,
    begin: @escaping @Sendable () -> Void, then job: @escaping @Sendable () -> Void
  ) {
    if let virtual {
      return virtual.occupy(
        activity, for: duration, cancellation: cancellation, begin: begin, then: job)
    }
    LaneContext.current.scheduling(.start) {
      pool.schedule {
        if cancellation.isCancelled { return job() }
        begin()
        occupy(activity, for: duration, cancellation: cancellation)
        job()
      }
    }
  }
}
