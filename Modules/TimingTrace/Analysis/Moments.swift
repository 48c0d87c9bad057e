internal import AsyncPatterns

/// When nodes start, are cut off, and end, in the order of the events.
struct Moments {
  struct Moment {
    enum Kind {
      case start
      /// A timer cuts off what goes on all the same.
      case cut
      case end
    }

    let node: Int
    let kind: Kind
  }

  let all: [Moment]
  /// For each node when the last of its parts ended or was cut off, of those that were not called off.
  let lastPart: [Int64?]

  /// - Complexity: O(n) in the number of events.
  init(_ table: SpanTable, _ causes: Causes, eventCount: Int) {
    let nodes = table.nodes
    var slots = [Moment?](repeating: nil, count: eventCount)
    var lastPart = [Int64?](repeating: nil, count: nodes.count)
    var cuts: [Int: Int] = [:]
    // What was cut off with its pattern, and told of its end a moment later; what was called off by it, and a moment before.
    var together: [Int: [Int]] = [:]
    func place(_ node: Int, _ kind: Moment.Kind, at position: Int) {
      if slots.indices.contains(position) { slots[position] = Moment(node: node, kind: kind) }
    }
    for (index, node) in nodes.enumerated() {
      let isNeverStarted = node.started == nil && node.cut != nil
      place(index, .start, at: isNeverStarted ? node.askPosition : node.startPosition)
      let stop = Self.stop(of: index, nodes, causes)
      if stop == node.finishPosition {
        place(index, .end, at: stop)
      } else {
        together[stop, default: []].append(index)
      }
      // Of a pattern and its parts the pattern counts, of several parts the first one.
      if let cut = node.cut, node.goesOn, cuts[cut.position] == nil { cuts[cut.position] = index }
      guard slots.indices.contains(node.stopPosition), let parent = node.parent,
        let end = Self.end(of: index, in: parent, nodes, causes)
      else { continue }
      lastPart[parent] = max(lastPart[parent] ?? end, end)
    }
    var all: [Moment] = []
    all.reserveCapacity(slots.count)
    for position in slots.indices {
      // What is cut off by the end of its pattern is so before that.
      if let node = cuts[position] { all.append(Moment(node: node, kind: .cut)) }
      let ended = together[position] ?? []
      // Parts end before their patterns, which come before them.
      for node in ended.reversed() where !causes.isCalledOff(node) {
        all.append(Moment(node: node, kind: .end))
      }
      if let moment = slots[position] { all.append(moment) }
      // They were called off then.
      for node in ended where causes.isCalledOff(node) {
        all.append(Moment(node: node, kind: .end))
      }
    }
    self.all = all
    self.lastPart = lastPart
  }

  /// Where among all events a node let go of its lane: if another one called it off, not before that had ended.
  private static func stop(of index: Int, _ nodes: [SpanTable.Node], _ causes: Causes) -> Int {
    let stop = nodes[index].stopPosition
    guard causes.isCalledOff(index), let decider = causes.end(of: index)?.leaf else { return stop }
    return max(stop, nodes[decider].stopPosition)
  }

  /// Until when a pattern had to wait for a part, if it did.
  private static func end(
    of part: Int, in pattern: Int, _ nodes: [SpanTable.Node], _ causes: Causes
  ) -> Int64? {
    if nodes[part].goesOn, causes.isLastCut(part, of: pattern) { return nodes[part].cut?.time }
    let isInTime = nodes[part].stopPosition <= nodes[pattern].stopPosition
    return isInTime && !causes.isCalledOff(part) ? nodes[part].finished : nil
  }
}
