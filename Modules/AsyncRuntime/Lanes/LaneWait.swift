/// How long a job waited for its lane, and for which span.
package struct LaneWait: Sendable {
  /// When the job was ready.
  package let ready: Instant
  /// The span that released the lane.
  package let holder: Span

  package init(ready: Instant, holder: Span) {
    self.ready = ready
    self.holder = holder
  }
}
