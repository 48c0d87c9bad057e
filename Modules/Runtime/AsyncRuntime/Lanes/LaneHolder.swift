/// The span that last held a lane.
struct LaneHolder {
  var span = Span.none
  /// When it released the lane.
  var time = Instant.zero
  /// The trace that has the span.
  var trace: ObjectIdentifier?
}
