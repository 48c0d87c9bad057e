extension LaneContext {
  /// Records how long `body` waited for the lane, and then runs it on behalf of the code that
  /// scheduled it.
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
