/// The largest number of leaf steps that were in flight at the same time.
///
/// At the same instant, ends count before starts. Steps that take no time count in the order in which they were
/// recorded. So even a million such steps in a row never count as two at the same time.
struct Concurrency {
  private(set) var largest = 0

  /// - Complexity: O(n) in the number of events.
  init(_ table: SpanTable) {
    var inFlight = 0
    var rest = table.moments.all[...]
    while let time = rest.first?.time {
      // The moments of an instant, in the order in which they were recorded.
      let instant = rest.prefix { $0.time == time }
      rest = rest[instant.endIndex...]
      if instant.count > 1 {
        for moment in instant where table.endsEarlierLeaf(moment) { inFlight -= 1 }
      }
      for moment in instant {
        if instant.count > 1, table.endsEarlierLeaf(moment) { continue }
        inFlight += table.change(ofLeavesAt: moment)
        largest = max(largest, inFlight)
      }
    }
  }
}

extension SpanTable {
  /// Whether a leaf step ends that started before this instant.
  fileprivate func endsEarlierLeaf(_ moment: Moments.Moment) -> Bool {
    guard moment.kind == .finish, nodes[moment.node].isLeaf,
      let started = startTime(of: moment.node)
    else { return false }
    return started < moment.time
  }

  /// 1 if a leaf step starts, -1 if one ends, otherwise 0.
  fileprivate func change(ofLeavesAt moment: Moments.Moment) -> Int {
    guard nodes[moment.node].isLeaf, hasStarted(moment.node) else { return 0 }
    switch moment.kind {
    case .start: return 1
    case .finish: return -1
    case .resume, .cancellation: return 0
    }
  }
}
