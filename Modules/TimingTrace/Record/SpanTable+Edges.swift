internal import AsyncPatterns

extension SpanTable {
  /// Whether an edge tells who let a node start: not who resolved it, and not who woke a thread of it later on.
  func leadsToStart(_ edge: Edge) -> Bool {
    switch edge.kind {
    case .resolvedBy: false
    case .woke: edge.position < nodes[edge.to].startPosition
    case .spawned, .dependency, .permitFrom: true
    }
  }

  /// What waited, as an edge tells it that leads to a start: that node or, where a thread of its pattern was woken and
  /// then started it, the pattern.
  func waiter(at edge: Edge) -> Int {
    edge.kind == .woke ? nodes[edge.to].parent ?? edge.to : edge.to
  }
}
