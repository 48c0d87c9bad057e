internal import AsyncPatterns

extension SpanTable {
  /// Whether an edge was recorded before the node that it leads to started.
  func leadsToStart(_ edge: Edge) -> Bool { edge.position < nodes[edge.to].startPosition }

  /// Whether an edge tells of an end that a node waited for before it could start.
  func isWaitForStart(_ edge: Edge) -> Bool {
    switch edge.kind {
    case .resolvedBy: return false
    case .woke: if !leadsToStart(edge) { return false }
    case .spawned, .dependency, .permitFrom: break
    }
    let source = nodes[edge.from]
    return source.finished != nil && source.finishPosition < nodes[edge.to].startPosition
  }

  /// What waited, as an edge tells it: the node that it leads to or, where a thread was woken before that had started,
  /// the pattern that then started it.
  func waiter(at edge: Edge) -> Int {
    edge.kind == .woke && leadsToStart(edge) ? nodes[edge.to].parent ?? edge.to : edge.to
  }
}
