/// A job's wait for its lane.
public struct LaneWait: Sendable {
  /// When the job was ready.
  public let ready: Instant
  /// The span that released the lane.
  public let holder: Span

  public init(ready: Instant, holder: Span) {
    self.ready = ready
    self.holder = holder
  }
}
