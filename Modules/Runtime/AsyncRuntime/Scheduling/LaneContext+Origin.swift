extension LaneContext {
  /// Where code comes from that runs later, as the calling thread runs for it now.
  public func origin(on scheduler: any Scheduler) -> CodeOrigin {
    CodeOrigin(causality: causality, ready: scheduler.now)
  }
}
