import AsyncPatterns

/// The spans that last held the lanes of a simulation, and when they released them. On the virtual clock only work and
/// blocking take time.
struct LaneHolders {
  struct Holder {
    var span = Span.none
    var time = Instant.zero
  }

  private var ofLanes: [UInt32: Holder] = [:]

  /// Notes that the span has held the lane until now.
  mutating func note(_ span: Span, on lane: UInt32, at now: Instant) {
    ofLanes[lane] = Holder(span: span, time: now)
  }

  /// Notes that a job of the serial scheduler has returned.
  mutating func pass(from lane: UInt32, to strand: Strand) {
    if let holder = ofLanes[lane] { strand.holder = holder }
  }

  /// The span that a job at `place` had to wait for, because that span released the place only now. `.none` if no span
  /// released the place now.
  func holder(of place: Place, at now: Instant) -> Span {
    if let holder = place.strand?.holder, holder.time == now, holder.span != .none {
      return holder.span
    }
    guard let holder = ofLanes[place.lane], holder.time == now else { return .none }
    return holder.span
  }
}
