internal import AsyncPatterns

/// Whose ends let nodes go on that had started and waited for permits of a semaphore.
struct Wakes {
  struct Wake {
    let edge: SpanTable.Edge
    /// Whether a thread stood parked for it, and did not find the permit there.
    let wasParked: Bool
  }

  /// By the node that went on, in the order of recording.
  private var ofNodes: [Int: [Wake]] = [:]
  /// The patterns whose parts are told themselves whose permits let them start.
  private var told: Set<Int> = []

  /// - Complexity: O(n) in the number of edges and of times that a lane stood parked.
  init(_ table: SpanTable) {
    let edges = Dictionary(
      grouping: table.edges.lazy.filter { $0.kind == .woke && !table.leadsToStart($0) }, by: \.to)
    if edges.isEmpty { return }
    let parks = Dictionary(
      grouping: table.blocking.intervals.lazy.filter { $0.node != nil }, by: { $0.node ?? 0 })
    for (node, edges) in edges {
      // An end of a park is that of one wake: others at that time found their permit there.
      var ends = Set((parks[node] ?? []).lazy.map(\.to))
      ofNodes[node] = edges.map { Wake(edge: $0, wasParked: ends.remove($0.time) != nil) }
    }
    let givers = ofNodes.mapValues { Set($0.lazy.map(\.edge.from)) }
    for edge in table.edges where [.woke, .permitFrom].contains(edge.kind) {
      guard table.leadsToStart(edge), let pattern = table.nodes[edge.to].parent,
        givers[pattern]?.contains(edge.from) == true
      else { continue }
      told.insert(pattern)
    }
  }

  /// What last let a node go on before a position among the events.
  ///
  /// - Complexity: O(log n).
  func last(of node: Int, before position: Int) -> Wake? {
    guard let wakes = ofNodes[node] else { return nil }
    let count = wakes.firstIndexBeyond { $0.edge.position >= position }
    return count > 0 ? wakes[count - 1] : nil
  }

  /// What let a node go on at a time, of which its thread had been parked until then.
  ///
  /// - Complexity: O(log n), and O(n) in the number of those at that time.
  func wake(of node: Int, at time: Int64) -> Wake? {
    guard let wakes = ofNodes[node] else { return nil }
    let first = wakes.firstIndexBeyond { $0.edge.time >= time }
    return wakes[first...].prefix { $0.edge.time == time }.first(where: \.wasParked)
  }

  /// What let a pattern start a part at a position among the events, as far as its parts are not told that themselves:
  /// one that goes on by way of a scheduler starts the next part when its turn comes.
  ///
  /// - Complexity: O(log n).
  func last(of pattern: Int, beforeStartAt position: Int) -> Wake? {
    told.contains(pattern) ? nil : last(of: pattern, before: position)
  }
}
