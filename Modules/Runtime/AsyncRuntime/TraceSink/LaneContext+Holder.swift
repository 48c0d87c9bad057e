extension LaneContext {
  /// The span that a job had to wait for which was ready then: the last one that worked on the lane or blocked it.
  /// `.none` if that was before, or if another trace has that span, since its spans may have the same numbers.
  public func holder(since ready: Instant, in trace: any TraceSink) -> Span {
    let last = holder
    return last.time >= ready && last.trace == ObjectIdentifier(trace) ? last.span : .none
  }

  /// Notes that a span of the trace has held the lane until now.
  public func noteHolder(_ span: Span, until now: Instant, in trace: any TraceSink) {
    holder = LaneHolder(span: span, time: now, trace: ObjectIdentifier(trace))
  }
}
