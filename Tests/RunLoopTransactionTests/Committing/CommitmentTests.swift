import RunLoopTransaction
import Testing

@Suite struct CommitmentTests {
  let stage = Stage()
  var log: Log { stage.log }

  @Test func `a commit that has been taken back is not performed, and lets go of its target`() {
    let queue = stage.queue()
    weak var target: Label?
    do {
      let label = Label("gone", log)
      target = label
      let commitment = Transaction(label, action: .layout).commit(to: queue)
      #expect(commitment.cancel())
      #expect(!commitment.cancel())
    }
    #expect(target == nil)
    #expect(queue.count == 0)
    stage.runtime.runUntilIdle()
    #expect(log.entries == [])
    #expect(queue.figures.withdrawn == 1)
  }

  @Test func `it is performed for others who have committed an equal one`() {
    let queue = stage.queue()
    let label = stage.labels[0]
    let mine = Transaction(label, action: .layout).commit(to: queue)
    let theirs = Transaction(label, action: .layout).commit(to: queue)
    #expect(mine.cancel())
    #expect(!mine.cancel())
    stage.runtime.runUntilIdle()
    #expect(log.entries == ["a: layout"])
    #expect(!theirs.cancel())
  }

  @Test func `it goes when all have taken theirs back`() {
    let queue = stage.queue()
    let label = stage.labels[0]
    let commitments = (1...100).map { _ in
      Transaction(label, action: .layout).commit(to: queue)
    }
    for commitment in commitments { #expect(commitment.cancel()) }
    #expect(queue.count == 0)
    stage.runtime.runUntilIdle()
    #expect(log.entries == [])
  }

  @Test func `it can be taken back by an action of the same flush`() {
    let queue = stage.queue()
    let (a, b) = (stage.labels[0], stage.labels[1])
    stage.onMain {
      let later = Locked<Commitment?>(nil)
      Transaction(a, "x") { _ in #expect(later.withLock { $0 }?.cancel() == true) }
        .commit(to: queue)
      let commitment = Transaction(b, action: .layout).commit(to: queue)
      later.withLock { $0 = commitment }
    }
    #expect(log.entries == [])
  }

  @Test func `an old commitment takes back no newer commit`() {
    let queue = stage.queue()
    let label = stage.labels[0]
    let old = Transaction(label, action: .layout).commit(to: queue)
    stage.runtime.runUntilIdle()
    Transaction(label, action: .layout).commit(to: queue)
    #expect(!old.cancel())
    stage.runtime.runUntilIdle()
    #expect(log.entries == ["a: layout", "a: layout"])
  }

  @Test func `one for this flush and one for the next are taken back each for itself`() {
    let queue = stage.queue()
    let (a, b) = (stage.labels[0], stage.labels[1])
    let log = log
    stage.onMain {
      let first = Locked<Commitment?>(nil)
      Transaction(a, "x") { _ in
        let next = Transaction(b, action: .layout).commit(to: queue)
        #expect(first.withLock { $0 }?.cancel() == true)
        _ = next
      }.commit(to: queue)
      let commitment = Transaction(b, action: .layout).commit(to: queue)
      first.withLock { $0 = commitment }
      Transaction(a, "y") { _ in log.append("the flush ends") }.commit(to: queue)
    }
    #expect(log.entries == ["the flush ends", "b: layout"])
  }

  @Test func `taken back twice, a commit for the next flush does not take back one for this`() {
    let queue = stage.queue()
    let (a, b) = (stage.labels[0], stage.labels[1])
    stage.onMain {
      Transaction(a, "x") { _ in
        // b waits in this flush.
        let next = Transaction(b, action: .layout).commit(to: queue)
        #expect(next.cancel())
        #expect(!next.cancel())
      }.commit(to: queue)
      Transaction(b, action: .layout).commit(to: queue)
    }
    #expect(log.entries == ["b: layout"])
  }

  @Test func `what was left over and committed again is one, and goes when both are taken back`() {
    let queue = stage.queue(batchLimit: 1)
    let (a, b) = (stage.labels[0], stage.labels[1])
    stage.onMain {
      let commitments = Locked<[Commitment]>([])
      Transaction(a, "x") { _ in
        // b is left over, and committed once more.
        let again = Transaction(b, action: .layout).commit(to: queue)
        commitments.withLock { $0.append(again) }
        stage.runtime.main.schedule {
          for commitment in commitments.withLock({ $0 }) { #expect(commitment.cancel()) }
          #expect(queue.count == 0)
        }
      }.commit(to: queue)
      let first = Transaction(b, action: .layout).commit(to: queue)
      commitments.withLock { $0.append(first) }
    }
    #expect(log.entries == [])
    let figures = queue.figures
    #expect(figures.committed == figures.coalesced + figures.withdrawn + figures.performed)
  }
}
