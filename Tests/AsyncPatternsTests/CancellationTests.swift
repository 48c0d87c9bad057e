import AsyncPatterns
import PatternTesting
import Testing

@Suite struct CancellationTests {
  @Test func `no step starts after a cancellation`() {
    let steps: [Step] = [.sleep("a", .milliseconds(10)), .sleep("b", .milliseconds(10))]
    let run = simulate(Step("all", pattern: OneByOne(), steps: steps)) { runtime, run in
      runtime.main.schedule(after: .milliseconds(5)) { run.cancel() }
    }
    #expect(run.recording.labels(.started) == ["all", "a"])
    #expect(run.end == Instant(nanoseconds: 5_000_000))
    #expect(throws: CancellationError.self) { try run.results[0].get() }
  }

  @Test(arguments: [
    Step.sleep("x", .seconds(9)), .work("x", .seconds(9)), .block("x", .seconds(9)), .never("x"),
    Step("x") { _, scope in
      try await scope.sleep(for: .seconds(9))
      return .none
    },
  ])
  func `a running step stops immediately`(step: Step) {
    let run = simulate(step) { runtime, run in
      runtime.main.schedule(after: .milliseconds(5)) { run.cancel() }
    }
    #expect(run.end == Instant(nanoseconds: 5_000_000))
    #expect(throws: CancellationError.self) { try run.results[0].get() }
  }

  @Test func `handlers are called in the order of their registration`() {
    let cancellation = Cancellation()
    let called = Locked<[Int]>([])
    for number in 1...20 { cancellation.onCancel { called.withLock { $0.append(number) } } }
    let disposed = cancellation.onCancel { called.withLock { $0.append(99) } }
    disposed.dispose()
    cancellation.cancel()
    cancellation.cancel()
    cancellation.onCancel { called.withLock { $0.append(21) } }
    #expect(called.withLock { $0 } == Array(1...21))
  }

  @Test func `cancelling a parent cancels its child, but not vice versa`() {
    let parent = Cancellation()
    let child = Cancellation(parent: parent)
    let sibling = Cancellation(parent: parent)
    child.cancel()
    #expect(child.isCancelled && !parent.isCancelled && !sibling.isCancelled)
    parent.cancel()
    #expect(sibling.isCancelled)
    #expect(Cancellation(parent: parent).isCancelled)
  }

  @Test func `a cancellation reaches descendants of any depth`() {
    let root = Cancellation()
    var leaf = root
    for _ in 0..<100_000 { leaf = Cancellation(parent: leaf) }
    root.cancel()
    #expect(leaf.isCancelled)
  }

  @Test func `the handlers of a child are called between those of its parent`() {
    let (log, parent) = (Locked<[Int]>([]), Cancellation())
    @Sendable func note(_ number: Int) { log.withLock { $0.append(number) } }
    parent.onCancel { note(1) }
    let child = Cancellation(parent: parent)
    child.onCancel { note(2) }
    let grandchild = Cancellation(parent: child)
    grandchild.onCancel { note(3) }
    child.onCancel { note(4) }
    parent.onCancel { note(5) }
    parent.cancel()
    #expect(log.withLock { $0 } == [1, 2, 3, 4, 5])
    withExtendedLifetime(grandchild) {}
  }

  @Test func `a handler that is disposed of while others are called is not called`() {
    let cancellation = Cancellation()
    let called = Locked<[Int]>([])
    let second = Locked<Cancellation.Registration?>(nil)
    cancellation.onCancel {
      called.withLock { $0.append(1) }
      second.withLock { $0 }?.dispose()
    }
    let registration = cancellation.onCancel { called.withLock { $0.append(2) } }
    second.withLock { $0 = registration }
    cancellation.onCancel { called.withLock { $0.append(3) } }
    cancellation.cancel()
    #expect(called.withLock { $0 } == [1, 3])
  }

  @Test func `a grandchild stops even if its parent was released`() {
    let root = Cancellation()
    let leaf = Cancellation(parent: Cancellation(parent: root))
    root.cancel()
    #expect(leaf.isCancelled)
  }

  @Test func `a released child leaves nothing in its parent`() {
    let root = Cancellation()
    weak var gone: Cancellation?
    do {
      let child = Cancellation(parent: root)
      gone = child
    }
    #expect(gone == nil)
    root.cancel()
  }

  @Test func `cancelling also cancels the second completion`() {
    let run = simulate(.twice("wrong", .milliseconds(10))) { runtime, run in
      runtime.main.schedule(after: .milliseconds(15)) { run.cancel() }
    }
    #expect(run.end == Instant(nanoseconds: 15_000_000))
    #expect(run.recording.misuse.isEmpty)
    #expect(run.results.count == 1)
  }

  @Test(.unlessThreadSanitized)
  func `cancelling 100,000 sleeping steps does not overflow the stack`() {
    let steps = (1...100_000).map { Step.sleep("s-\($0)", .seconds(9)) }
    let run = simulate(Step("all", pattern: SideBySide(), steps: steps)) { runtime, run in
      runtime.main.schedule(after: .milliseconds(5)) { run.cancel() }
    }
    #expect(run.end == Instant(nanoseconds: 5_000_000))
    #expect(run.recording.events.count { $0.outcome == .cancelled } == 100_000)
  }
}
