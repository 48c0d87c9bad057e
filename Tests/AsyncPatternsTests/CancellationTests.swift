import AsyncPatterns
import Testing

@Suite struct CancellationTests {
  @Test func nothingStartsAfterCancellation() {
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
  func whatRunsStopsAtOnce(step: Step) {
    let run = simulate(step) { runtime, run in
      runtime.main.schedule(after: .milliseconds(5)) { run.cancel() }
    }
    #expect(run.end == Instant(nanoseconds: 5_000_000))
    #expect(throws: CancellationError.self) { try run.results[0].get() }
  }

  @Test func handlersAreToldInTheOrderTheyAsked() {
    let cancellation = Cancellation()
    let told = Locked<[Int]>([])
    for number in 1...20 { cancellation.onCancel { told.withLock { $0.append(number) } } }
    let disposed = cancellation.onCancel { told.withLock { $0.append(99) } }
    disposed.dispose()
    cancellation.cancel()
    cancellation.cancel()
    cancellation.onCancel { told.withLock { $0.append(21) } }
    #expect(told.withLock { $0 } == Array(1...21))
  }

  @Test func aChildStopsWithItsParentAndNotTheOtherWayRound() {
    let parent = Cancellation()
    let child = Cancellation(parent: parent)
    let sibling = Cancellation(parent: parent)
    child.cancel()
    #expect(child.isCancelled && !parent.isCancelled && !sibling.isCancelled)
    parent.cancel()
    #expect(sibling.isCancelled)
    #expect(Cancellation(parent: parent).isCancelled)
  }

  @Test func aHandlerThatIsDisposedOfWhileOthersAreToldIsNotTold() {
    let cancellation = Cancellation()
    let told = Locked<[Int]>([])
    let second = Locked<Cancellation.Registration?>(nil)
    cancellation.onCancel {
      told.withLock { $0.append(1) }
      second.withLock { $0 }?.dispose()
    }
    let registration = cancellation.onCancel { told.withLock { $0.append(2) } }
    second.withLock { $0 = registration }
    cancellation.onCancel { told.withLock { $0.append(3) } }
    cancellation.cancel()
    #expect(told.withLock { $0 } == [1, 3])
  }

  @Test func aGrandchildStopsThoughNobodyHoldsItsParent() {
    let root = Cancellation()
    let leaf = Cancellation(parent: Cancellation(parent: root))
    root.cancel()
    #expect(leaf.isCancelled)
  }

  @Test func aChildThatIsGoneLeavesNothingWithItsParent() {
    let root = Cancellation()
    weak var gone: Cancellation?
    do {
      let child = Cancellation(parent: root)
      gone = child
    }
    #expect(gone == nil)
    root.cancel()
  }

  @Test func cancellingCallsOffTheSecondCompletionToo() {
    let run = simulate(.twice("wrong", .milliseconds(10))) { runtime, run in
      runtime.main.schedule(after: .milliseconds(15)) { run.cancel() }
    }
    #expect(run.end == Instant(nanoseconds: 15_000_000))
    #expect(run.recording.misuse.isEmpty)
    #expect(run.results.count == 1)
  }

  @Test func aHundredThousandSleepersAreCancelledWithoutStack() {
    let steps = (1...100_000).map { Step.sleep("s-\($0)", .seconds(9)) }
    let run = simulate(Step("all", pattern: SideBySide(), steps: steps)) { runtime, run in
      runtime.main.schedule(after: .milliseconds(5)) { run.cancel() }
    }
    #expect(run.end == Instant(nanoseconds: 5_000_000))
    #expect(run.recording.events.count { $0.outcome == .cancelled } == 100_000)
  }
}
