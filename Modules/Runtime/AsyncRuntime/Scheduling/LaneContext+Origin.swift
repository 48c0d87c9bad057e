extension LaneContext {
  /// The origin of code that is scheduled now and runs later.
  public func origin(on scheduler: any Scheduler) -> CodeOrigin {
    CodeOrigin(causality: causality, ready: scheduler.now)
  }
}
