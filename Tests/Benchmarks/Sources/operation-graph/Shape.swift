/// What comes after what, for as many operations as one likes.
struct Shape: Sendable {
  var name: String
  /// How many operations there are.
  var count: Int
  /// What an operation comes after, of those before it: two, one or none; -1 stands for none.
  var before: @Sendable (Int) -> (Int, Int)
  /// Whether one comes before all others.
  var isFanOut = false

  static func chain(_ count: Int) -> Shape {
    Shape(name: "linear chain", count: count) { ($0 - 1, -1) }
  }

  static func tree(_ count: Int) -> Shape {
    Shape(name: "binary tree", count: count) { ($0 == 0 ? -1 : ($0 - 1) / 2, -1) }
  }

  /// A square, each after its neighbours on the left and above.
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

  /// The operations by how many others each has to wait for, one after another.
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

/// What each operation does: so little that all the rest is what is measured. Races do no harm.
final class Work: @unchecked Sendable {
  // Safe to share: nobody goes by it, and each thread may lose the others' counts.
  nonisolated(unsafe) private var number = 0

  @inline(__always) func run() { number &+= 1 }
}
