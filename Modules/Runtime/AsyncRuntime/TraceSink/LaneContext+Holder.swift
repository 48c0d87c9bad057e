extension LaneContext {
  /// The span that last worked on the lane or blocked it, and so delayed a job that was ready at
  /// `ready`. `.none` if the span left the lane before that time, or belongs to another trace.
  public func holder(since ready: Instant, in trace: any TraceSink) -> Span {
    let last = holder
    return last.time >= ready && last.trace == ObjectIdentifier(trace) ? last.span : .none
  }

  /// Notes that a span of the trace has held the lane until now.
  public func noteHolder(_ span: Span, until now: Instant, in trace: any TraceSink) {
    holder = LaneHolder(span: span, time: now, trace: ObjectIdentifier(trace))
  }
}
