import Dispatch
import OperationGraph
import Testing

/// Tests queues of operations that several threads use.
@Suite struct AsyncOperationLiveTests {
  // Two threads add at the same time. The fault that this test is about showed in one of some hundred rounds.
  @Test(.timeLimit(.minutes(1))) func `no operation comes after a barrier that was refused`() throws
  {
    for _ in 0..<1000 {
      let queue = AsyncOperationQueue("queue")
      queue.isSuspended = true
      let (waiting, barrier) = (AsyncOperation("waiting") {}, AsyncOperation("barrier") {})
      try waiting.addDependency(barrier)
      try queue.addOperation(waiting)
      let others = (0..<6).map { AsyncOperation("\($0)") {} }
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 {
          #expect(throws: OperationCycle.self) { try queue.addBarrier(barrier) }
        } else {
          #expect(throws: Never.self) { for other in others { try queue.addOperation(other) } }
        }
      }
      #expect(others.allSatisfy { $0.dependencies.isEmpty })
      queue.cancelAllOperations()
    }
  }
}
