extension TimelineRows {
  /// The rows of lanes.
  ///
  /// - Parameter height: the maximum number of rows. If there are more lanes, those that were used longest are kept.
  init(_ timeline: LaneTimeline, height: Int) {
    self.init(empty: timeline.record)
    words = [.wait: "step in flight", .run: "work", .blocked: "thread blocked"]
    let lanes = timeline.lanes
    let order = lanes.indices.sorted { left, right in
      (-lanes[left].use.busy, left) < (-lanes[right].use.busy, right)
    }
    let kept = lanes.count - 1 <= height ? Set(order) : Set(order.prefix(height))
    for (index, lane) in lanes.enumerated() where kept.contains(index) {
      rows.append(
        TimelineRow(
          label: lane.use.lane, depth: 0, isCritical: false, state: .success,
          note: lane.use.note(of: timeline.record.makespan),
          stretches: RowStretches(Self.stretches(of: lane.stretches))))
    }
    let left = lanes.count - kept.count
    if left > 0 { leftOut = "\(left.grouped) more lanes" }
  }

  /// Merges adjacent stretches of the same step and kind.
  private static func stretches(of lane: [LaneTimeline.Stretch]) -> [TimelineRow.Stretch] {
    var merged: [LaneTimeline.Stretch] = []
    var last: [LaneTimeline.Kind: Int] = [:]
    for stretch in lane {
      if let index = last[stretch.kind], merged[index].step == stretch.step,
        merged[index].to == stretch.from
      {
        merged[index].to = stretch.to
      } else {
        last[stretch.kind] = merged.count
        merged.append(stretch)
      }
    }
    return merged.map { stretch in
      let kind: TimelineRow.Kind =
        switch stretch.kind {
        // A stretch that takes no time is drawn as a moment.
        case .inFlight: stretch.from < stretch.to ? .wait : .run
        case .work: .run
        case .blocked: .blocked
        }
      return TimelineRow.Stretch(
        kind: kind, from: stretch.from, to: stretch.to, caption: stretch.step)
    }
  }
}

extension LaneUse {
  fileprivate var busy: Int64 { work.addingClamped(blocked) }

  /// The use of the lane: `work 5ms 14%`, or in short `work 14% blocked 6%`.
  fileprivate func note(of makespan: Int64) -> String {
    let parts = [("work", work), ("blocked", blocked)].filter { $0.1 > 0 }
    return parts.isEmpty
      ? "idle"
      : parts.map { what, time in
        let share = makespan > 0 ? Double(time) / Double(makespan) : 0
        let length = parts.count > 1 ? "" : time.durationText + " "
        return "\(what) \(length)\(Int((share * 100).rounded()))%"
      }.joined(separator: " ")
  }
}
