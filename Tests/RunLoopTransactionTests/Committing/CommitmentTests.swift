import RunLoopTransaction
import Testing

@Suite struct CommitmentTests {
  let stage = Stage()
  var log: Log { stage.log }

  @Test func `a cancelled commit is not performed and releases its target`() {
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
    #expect(queue.metrics.cancelled == 1)
  }

  @Test func `a cancelled commit is still performed for callers with an equal commit`() {
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

  @Test func `a transaction is discarded when all its commits are cancelled`() {
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

  @Test func `a commit can be cancelled by an action of the same flush`() {
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

  @Test func `an old commitment does not cancel a newer commit`() {
    let queue = stage.queue()
    let label = stage.labels[0]
    let old = Transaction(label, action: .layout).commit(to: queue)
    stage.runtime.runUntilIdle()
    Transaction(label, action: .layout).commit(to: queue)
    #expect(!old.cancel())
    stage.runtime.runUntilIdle()
    #expect(log.entries == ["a: layout", "a: layout"])
  }

  @Test func `a commit for this flush and one for the next flush are cancelled independently`() {
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

  @Test func `cancelling a commit for the next flush twice does not cancel one for this flush`() {
    let queue = stage.queue()
    let (a, b) = (stage.labels[0], stage.labels[1])
    stage.onMain {
      Transaction(a, "x") { _ in
        // In this flush, b is still pending.
        let next = Transaction(b, action: .layout).commit(to: queue)
        #expect(next.cancel())
        #expect(!next.cancel())
      }.commit(to: queue)
      Transaction(b, action: .layout).commit(to: queue)
    }
    #expect(log.entries == ["b: layout"])
  }

  @Test func `cancelling both commits of a leftover transaction discards it`() {
    let queue = stage.queue(batchLimit: 1)
    let (a, b) = (stage.labels[0], stage.labels[1])
    stage.onMain {
      let commitments = Locked<[Commitment]>([])
      Transaction(a, "x") { _ in
        // Here b is left over, and is committed again.
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
    let metrics = queue.metrics
    #expect(metrics.committed == metrics.coalesced + metrics.cancelled + metrics.performed)
  }
}
