import AsyncRuntime
import OperationGraph
import Promises
import SerialQueue

extension Workload {
  /// Items of several tasks, with and without keys; some are cancelled, and some are asynchronous.
  static let serialQueue = Workload(name: "SerialQueue", count: 10_000) {
    let queue = SerialQueue("soak", width: 2)
    await withTaskGroup { group in
      for task in 0..<4 {
        group.addTask {
          for index in 0..<2_500 {
            switch index % 10 {
            case 0: queue.enqueue(.key("key \(task)", .latestWins)) {}
            case 1: queue.enqueue { await Task.yield() }
            case 2: queue.enqueue {}.cancel()
            default: queue.enqueue {}
            }
          }
        }
      }
    }
    try await queue.run {}
    try await queue.drain()
  }

  /// Chains of ten links, and combinations of them.
  static let promises = Workload(name: "Promises", count: 10_000) {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<25 {
            let chains = (0..<10).map { index in
              var promise = Promise<Int, any Error> { index }
              for _ in 0..<9 { promise = promise.map { $0 + 1 } }
              return promise
            }
            let values = try await Promise<[Int], any Error>.all(chains).value
            precondition(values == Array(9..<19), "\(values)")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  /// Runs of a graph of a hundred operations with values and dependencies.
  static let graph = Workload(name: "OperationGraph", count: 10_000) {
    var graph = OperationGraph("soak")
    var last = graph.add("first") { 0 }
    for _ in 1..<50 { last = graph.add("link", last) { $0 + 1 } }
    for _ in 0..<50 { graph.add("side") { await Task.yield() } }
    let (whole, end) = (graph, last)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          for _ in 0..<25 {
            let result = try await whole.run(width: 4)
            let value = try result[end]
            precondition(value == 49, "\(value)")
          }
        }
      }
      try await group.waitForAll()
    }
  }

  static let operationQueue = Workload(name: "AsyncOperationQueue", count: 2_000) {
    let queue = AsyncOperationQueue()
    queue.maxConcurrentOperationCount = 4
    for index in 0..<2_000 {
      let operation = queue.addOperation { await Task.yield() }
      if index % 10 == 0 { operation.cancel() }
    }
    try await queue.waitUntilFinished()
  }

  static let joining = Workload(name: "AsyncSemaphore", count: 4_000) {
    let semaphore = AsyncSemaphore(permits: 2)
    let joined = JoinGroup("soak")
    await withTaskGroup { group in
      for index in 0..<4_000 {
        joined.enter()
        group.addTask {
          if index % 10 == 0 { withUnsafeCurrentTask { $0?.cancel() } }
          try? await semaphore.withPermit { await Task.yield() }
          joined.leave()
        }
      }
    }
    try await joined.wait()
    precondition(semaphore.permits == 2)
  }
}
