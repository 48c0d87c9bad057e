extension LaneContext {
  /// The span for which a job had to wait that was ready at `ready`. It is the span that last
  /// worked on the lane or blocked it. `.none` if that ended earlier, or if the span belongs to
  /// another trace.
  public func holder(since ready: Instant, in trace: any TraceSink) -> Span {
    let last = holder
    return last.time >= ready && last.trace == ObjectIdentifier(trace) ? last.span : .none
  }

  /// Notes that a span of the trace has held the lane until now.
  public func noteHolder(_ span: Span, until now: Instant, in trace: any TraceSink) {
    holder = LaneHolder(span: span, time: now, trace: ObjectIdentifier(trace))
  }
}
