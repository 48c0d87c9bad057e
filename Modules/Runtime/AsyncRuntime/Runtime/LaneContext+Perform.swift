extension LaneContext {
  /// Runs `body` on behalf of the code that scheduled it, and first records how long it waited for the lane.
  public func perform(
    from origin: CodeOrigin, on runtime: any Runtime, _ body: () -> Void
  ) {
    perform(by: origin.causality) {
      let (span, now) = (origin.causality.span, runtime.now)
      if let trace = runtime.trace, span != .none,
        runtime.isWait(origin.ready.duration(to: now))
      {
        let holder = holder(since: origin.ready, in: trace)
        if holder != .none {
          trace.record(
            .resumed(
              span, behind: holder, due: origin.ready, set: origin.ready,
              because: origin.causality.cause, at: now))
          causality.cause = .itself
        }
      }
      body()
    }
  }
}
