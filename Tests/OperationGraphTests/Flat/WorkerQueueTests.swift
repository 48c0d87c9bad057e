import Testing

@testable import OperationGraph

@Suite struct WorkerQueueTests {
  @Test func `operations are taken in the order of appending, however many there are`() {
    let queue = WorkerQueue()
    #expect(queue.isEmpty && queue.popFirst() == nil)
    var (next, expected): (Int32, Int32) = (0, 0)
    for round in 1...12 {
      for _ in 0..<(1 << round) {
        queue.append(next)
        next += 1
      }
      for _ in 0..<(1 << (round - 1)) {
        #expect(queue.popFirst() == expected)
        expected += 1
      }
    }
    while let operation = queue.popFirst() {
      #expect(operation == expected)
      expected += 1
    }
    #expect(expected == next && queue.isEmpty)
  }

  @Test(arguments: [(1, 1), (2, 1), (5, 3), (511, 256), (4_000, 256)])
  func `another worker takes half, up to a limit`(_ ready: Int32, _ half: Int32) {
    let (queue, other) = (WorkerQueue(), WorkerQueue())
    for operation in 0..<ready { other.append(operation) }
    #expect(queue.takeHalf(of: other) == 0)
    for operation in 1..<max(half, 1) { #expect(queue.popFirst() == operation) }
    #expect(queue.isEmpty)
    #expect(other.popFirst() == (half < ready ? half : nil))
  }

  @Test func `many concurrent takers get each operation once`() async {
    let count: Int32 = 200_000
    let owner = WorkerQueue()
    let isFinished = Locked(false)
    let taken = await withTaskGroup(of: [Int32].self) { group in
      group.addTask {
        var random = SeededGenerator(seed: 1)
        var taken: [Int32] = []
        var next: Int32 = 0
        while next < count {
          for _ in 0..<Int.random(in: 1...300, using: &random) where next < count {
            owner.append(next)
            next += 1
          }
          for _ in 0..<Int.random(in: 1...200, using: &random) {
            if let operation = owner.popFirst() { taken.append(operation) }
          }
          await Task.yield()
        }
        isFinished.withLock { $0 = true }
        while let operation = owner.popFirst() { taken.append(operation) }
        return taken
      }
      for _ in 1...2 {
        group.addTask {
          let own = WorkerQueue()
          var taken: [Int32] = []
          while true {
            let wasFinished = isFinished.withLock { $0 }
            if let operation = own.takeHalf(of: owner) {
              taken.append(operation)
              while let next = own.popFirst() { taken.append(next) }
            } else if wasFinished {
              return taken
            }
            await Task.yield()
          }
        }
      }
      var all: [[Int32]] = []
      for await some in group { all.append(some) }
      return all
    }
    // Each task takes operations in order, and together the tasks take all of them.
    for some in taken { #expect(some == some.sorted()) }
    #expect(taken.flatMap { $0 }.sorted() == Array(0..<count))
  }

  @Test(arguments: [0, 1, 31, 32])
  func `operations are not overwritten while another worker copies them`(_ takenMeanwhile: Int32) {
    let (queue, other) = (WorkerQueue(), WorkerQueue())
    // The queue is full, so the next operation would use the slot of the first one.
    for operation in 0..<Int32(64) { other.append(operation) }
    guard let claim = other.claimHalf() else {
      Issue.record("half of what is ready was there to be claimed")
      return
    }
    #expect(claim.first == 0 && claim.count == 32)
    for operation in 32..<(32 + takenMeanwhile) { #expect(other.popFirst() == operation) }
    for operation in Int32(64)..<200 { other.append(operation) }
    queue.copy(claim, of: other)
    for operation in 1..<Int32(32) { #expect(queue.popFirst() == operation) }
    #expect(queue.popFirst() == nil)
    for operation in (32 + takenMeanwhile)..<200 { #expect(other.popFirst() == operation) }
  }

  @Test func `during a copy other workers take operations one by one`() {
    let (queue, other) = (WorkerQueue(), WorkerQueue())
    for operation in 0..<Int32(10) { other.append(operation) }
    guard let claim = other.claimHalf() else {
      Issue.record("half of what is ready was there to be claimed")
      return
    }
    #expect(claim.count == 5)
    #expect(other.claimHalf()?.first == 5 && other.claimHalf()?.count == 1)
    queue.copy(claim, of: other)
    // Here 7, 8 and 9 are left.
    let next = other.claimHalf()
    #expect(next?.first == 7 && next?.count == 2)
  }

  @Test(arguments: [1, 2, 63, 64, 65, 130]) func `each resting worker is taken once`(
    _ count: Int
  ) {
    let resting = RestingWorkers(count: count)
    #expect((0..<count).map { _ in resting.popFirst() } == Array(0..<count))
    #expect(resting.popFirst() == nil && resting.isEmpty)
    resting.insert(count - 1)
    #expect(!resting.isEmpty && resting.popFirst() == count - 1 && resting.isEmpty)
  }
}
