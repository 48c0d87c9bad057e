/// What is a part of what, however deep.
struct Nesting {
  /// Where each node stands among all when every pattern is followed by its parts.
  private var places: [Int]
  /// How many nodes each one is, with its parts.
  private var sizes: [Int]

  /// - Complexity: O(n) in the number of nodes.
  init(_ table: SpanTable) {
    let nodes = table.nodes
    sizes = Array(repeating: 1, count: nodes.count)
    // Parts come after their pattern.
    for index in nodes.indices.reversed() {
      if let parent = nodes[index].parent { sizes[parent] += sizes[index] }
    }
    places = Array(repeating: 0, count: nodes.count)
    var next = places
    var nextRoot = 0
    for index in nodes.indices {
      if let parent = nodes[index].parent {
        places[index] = next[parent]
        next[parent] += sizes[index]
      } else {
        places[index] = nextRoot
        nextRoot += sizes[index]
      }
      next[index] = places[index] + 1
    }
  }

  /// Whether a node is that pattern, or part of it.
  ///
  /// - Complexity: O(1).
  func isPart(_ node: Int, of pattern: Int) -> Bool {
    places[pattern] <= places[node] && places[node] < places[pattern] + sizes[pattern]
  }
}
