extension LaneContext {
  /// The origin of code that runs later: what the calling thread runs for now.
  public func origin(on scheduler: any Scheduler) -> CodeOrigin {
    CodeOrigin(causality: causality, ready: scheduler.now)
  }
}
