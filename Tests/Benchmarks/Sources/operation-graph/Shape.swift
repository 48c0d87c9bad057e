/// The shape of a graph: the dependencies of any number of operations.
struct Shape: Sendable {
  var name: String
  /// The number of operations.
  var count: Int
  /// The earlier operations that an operation depends on: two, one or none. -1 means none.
  var before: @Sendable (Int) -> (Int, Int)
  /// Whether all other operations depend on one.
  var isFanOut = false

  static func chain(_ count: Int) -> Shape {
    Shape(name: "linear chain", count: count) { ($0 - 1, -1) }
  }

  static func tree(_ count: Int) -> Shape {
    Shape(name: "binary tree", count: count) { ($0 == 0 ? -1 : ($0 - 1) / 2, -1) }
  }

  /// A square in which each operation depends on its neighbours on the left and above.
  static func wavefront(_ count: Int) -> Shape {
    let side = Int(Double(count).squareRoot())
    return Shape(name: "wavefront", count: side * side) {
      ($0 % side == 0 ? -1 : $0 - 1, $0 < side ? -1 : $0 - side)
    }
  }

  static func fanOut(_ count: Int) -> Shape {
    Shape(name: "fan-out", count: count, before: { ($0 == 0 ? -1 : 0, -1) }, isFanOut: true)
  }

  static let kinds = [chain, tree, wavefront, fanOut]

  /// The operations in levels. The level of an operation is the length of its longest chain of dependencies.
  var levels: [Range<Int>] {
    var counts: [Int] = []
    var level = Array(repeating: 0, count: count)
    for index in 0..<count {
      let (one, other) = before(index)
      level[index] = max(one < 0 ? 0 : level[one] + 1, other < 0 ? 0 : level[other] + 1)
      if level[index] == counts.count { counts.append(0) }
      counts[level[index]] += 1
    }
    var start = 0
    return counts.map { count in
      defer { start += count }
      return start..<start + count
    }
  }
}

/// The work of each operation. It is so small that only the overhead is measured. Races do no harm.
final class Work: @unchecked Sendable {
  // Safe to share: the result is not used, and it does not matter if the counts of other threads are lost.
  nonisolated(unsafe) private var number = 0

  @inline(__always) func run() { number &+= 1 }
}
