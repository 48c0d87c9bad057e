import Dispatch

/// A minimal graph: closures, flat arrays, plain counters, and one thread for each run.
struct Floor: Sendable {
  private var closures: [@Sendable () -> Void] = []
  private var edges: [(before: Int32, after: Int32)] = []
  private var waiting: [Int32] = []
  private var starts: [Int32] = []
  private var successors: [Int32] = []

  init(_ shape: Shape, _ work: Work) {
    closures.reserveCapacity(shape.count)
    edges.reserveCapacity(2 * shape.count)
    for index in 0..<shape.count {
      let (one, other) = shape.before(index)
      closures.append { work.run() }
      if one >= 0 { edges.append((Int32(one), Int32(index))) }
      if other >= 0 { edges.append((Int32(other), Int32(index))) }
    }
    plan()
  }

  private mutating func plan() {
    let count = closures.count
    waiting = Array(repeating: 0, count: count)
    starts = Array(repeating: 0, count: count + 2)
    successors = Array(repeating: 0, count: edges.count)
    waiting.withUnsafeMutableBufferPointer { waiting in
      starts.withUnsafeMutableBufferPointer { starts in
        successors.withUnsafeMutableBufferPointer { successors in
          for edge in edges {
            waiting[Int(edge.after)] &+= 1
            starts[Int(edge.before) + 2] &+= 1
          }
          for index in 0..<count { starts[index + 2] &+= starts[index + 1] }
          for edge in edges {
            let place = Int(starts[Int(edge.before) + 1])
            successors[place] = edge.after
            starts[Int(edge.before) + 1] &+= 1
          }
        }
      }
    }
  }

  /// Runs the graph several times, on two threads.
  static func run(_ floor: Floor, times: Int) {
    guard times > 1 else { return floor.run() }
    DispatchQueue.concurrentPerform(iterations: 2) { half in
      for _ in 0..<(times + half) / 2 { floor.run() }
    }
  }

  func run() {
    var waiting = waiting
    var ready: [Int32] = []
    for index in closures.indices where waiting[index] == 0 { ready.append(Int32(index)) }
    waiting.withUnsafeMutableBufferPointer { waiting in
      starts.withUnsafeBufferPointer { starts in
        successors.withUnsafeBufferPointer { successors in
          while let index = ready.popLast() {
            closures[Int(index)]()
            for place in Int(starts[Int(index)])..<Int(starts[Int(index) + 1]) {
              let successor = successors[place]
              waiting[Int(successor)] &-= 1
              if waiting[Int(successor)] == 0 { ready.append(successor) }
            }
          }
        }
      }
    }
  }
}
