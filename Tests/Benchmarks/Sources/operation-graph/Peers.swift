import Dispatch
import Foundation

/// Other implementations of the same work.
enum Peers {
  static let floor = "the floor: flat arrays"
  static let queueOfOne = "OperationQueue of width 1"
  static let queue = "OperationQueue of default width"
  static let taskGroup = "TaskGroup, level by level"
  static let dispatch = "Dispatch, level by level"

  /// - Parameter width: the maximum number of concurrent operations, or nil for the default.
  static func operationQueue(_ shape: Shape, width: Int?, _ work: Work) {
    let queue = Foundation.OperationQueue()
    if let width { queue.maxConcurrentOperationCount = width }
    var operations: [Foundation.BlockOperation] = []
    operations.reserveCapacity(shape.count)
    for index in 0..<shape.count {
      let (one, other) = shape.before(index)
      let operation = Foundation.BlockOperation { work.run() }
      if one >= 0 { operation.addDependency(operations[one]) }
      if other >= 0 { operation.addDependency(operations[other]) }
      operations.append(operation)
    }
    queue.addOperations(operations, waitUntilFinished: true)
  }

  /// A level of one task needs no group.
  static func taskGroup(_ levels: [Range<Int>], _ work: Work) {
    let end = DispatchSemaphore(value: 0)
    Task.detached {
      for level in levels {
        if level.count == 1 {
          work.run()
        } else {
          await withTaskGroup(of: Void.self) { group in
            for _ in level { group.addTask { work.run() } }
          }
        }
      }
      end.signal()
    }
    end.wait()
  }

  /// The levels are items of a serial queue. A level of several tasks distributes them over all threads.
  static func dispatch(_ levels: [Range<Int>], _ work: Work) {
    let queue = DispatchQueue(label: "levels")
    for level in levels {
      queue.async {
        if level.count == 1 {
          work.run()
        } else {
          DispatchQueue.concurrentPerform(iterations: level.count) { _ in work.run() }
        }
      }
    }
    queue.sync {}
  }
}
