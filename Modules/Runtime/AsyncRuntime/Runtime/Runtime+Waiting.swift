extension Runtime {
  /// Whether a time is long enough to count as a wait for a lane.
  public func isWait(_ time: Duration) -> Bool {
    time > (clockKind == .live ? .nanoseconds(DueTime.liveLatency) : .zero)
  }
}
