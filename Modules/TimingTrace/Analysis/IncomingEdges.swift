/// The edges of a table, found by where they lead to.
struct IncomingEdges {
  /// The last edge to each node, and for each edge the one before it to the same node.
  private var last: [Int32]
  private var previous: [Int32] = []
  private let edges: [SpanTable.Edge]

  init(_ edges: [SpanTable.Edge], nodeCount: Int) {
    last = Array(repeating: -1, count: nodeCount)
    self.edges = edges
    previous.reserveCapacity(edges.count)
    for (index, edge) in edges.enumerated() {
      previous.append(last[edge.to])
      last[edge.to] = Int32(index)
    }
  }

  func hasAny(_ node: Int) -> Bool { last[node] >= 0 }

  /// What the last edge to a node leads from.
  func last(to node: Int) -> Int? { hasAny(node) ? edges[Int(last[node])].from : nil }

  func forEach(to node: Int, _ body: (SpanTable.Edge) -> Void) {
    var index = last[node]
    while index >= 0 {
      body(edges[Int(index)])
      index = previous[Int(index)]
    }
  }
}
