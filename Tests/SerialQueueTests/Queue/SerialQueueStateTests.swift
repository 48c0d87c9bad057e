import Testing

@testable import SerialQueue

/// Tests the decisions of a queue without its lock, threads or effects.
@Suite struct SerialQueueStateTests {
  enum Step: Sendable {
    case suspend, fail, resume
  }

  struct Failure: Error {}

  private func state(
    bound: Int? = nil, onFailure: SerialQueue.FailurePolicy = .stop
  ) -> SerialQueueState {
    SerialQueueState(label: "queue", width: 1, bound: bound, onFailure: onFailure)
  }

  private func item(_ work: @escaping @Sendable () -> Void = {}) -> PlainItem {
    PlainItem(work, site: SourceSite(file: #fileID, line: #line))
  }

  /// Names the actions.
  private func words(_ actions: SerialQueueActions) -> [String] {
    (actions ?? []).map { action in
      switch action {
      case .fail(_, let error): Result<Void, any Error>.failure(error).summary
      case .cancel: "cancel"
      case .cancelTimer: "cancel the timer"
      case .call: "call"
      case .releaseItems, .releaseError, .releaseHandlers: "release"
      }
    }
  }

  @Test(
    arguments: [
      ([], false, false),
      ([.suspend], true, false),
      ([.fail], false, true),
      ([.suspend, .fail], true, true),
      ([.fail, .suspend], true, true),
      ([.fail, .suspend, .resume], false, false),
      ([.suspend, .resume, .fail], false, true),
    ] as [([Step], Bool, Bool)])
  func `items start unless the queue is suspended or stopped`(
    _ steps: [Step], isSuspended: Bool, isStopped: Bool
  ) {
    var state = state()
    for step in steps {
      switch step {
      case .suspend: #expect(state.suspend() == nil)
      case .fail: #expect(state.stop(because: Failure()) == nil)
      case .resume:
        let wasStopped = state.isStopped
        #expect(words(state.resume()) == (wasStopped ? ["release"] : []))
      }
    }
    #expect(state.isSuspended == isSuspended)
    #expect(state.isStopped == isStopped)
    #expect(state.hasRoom == (!isSuspended && !isStopped))
    #expect(words(state.enqueue(item())) == (isStopped ? ["stopped"] : []))
  }

  @Test(arguments: [true, false])
  func `an abandoned queue fails its items once it is suspended`(isSuspendedFirst: Bool) {
    var state = state()
    #expect(state.enqueue(item()) == nil)
    let first = isSuspendedFirst ? state.suspend() : state.abandon()
    #expect(first == nil)
    #expect(words(isSuspendedFirst ? state.abandon() : state.suspend()) == ["abandoned"])
    #expect(state.isEmpty)
  }

  @Test func `one drainer is scheduled at a time`() {
    var state = state()
    #expect(state.settle() == .sleep)
    _ = state.enqueue(item())
    #expect(state.settle() == .drain)
    #expect(state.settle() == .nothing)
    state.pendingDrainers -= 1
    #expect(state.next() != nil)
    #expect(state.settle() == .nothing)
  }

  @Test func `observers are notified once that the queue is idle, after the waiters`() {
    var state = state()
    _ = state.add(IdleObserver {})
    #expect(state.classify() == nil)
    let item = item()
    _ = state.enqueue(item)
    #expect(state.wait({}) == nil)
    #expect(state.classify() == nil)
    #expect(words(state.cancel(item)) == ["cancelled", "call"])
    #expect(words(state.classify()) == ["call"])
    #expect(state.classify() == nil)
  }

  @Test func `a failure ends the waits for its item before it stops the others`() {
    var state = state()
    let (first, second) = (item(), item())
    _ = state.enqueue(first)
    _ = state.wait({})
    _ = state.enqueue(second)
    #expect(state.next() === first)
    #expect(words(state.finish(first, Failure(), isBack: true)) == ["call", "stopped"])
  }

  @Test func `an item that waits for room enters when another item ends`() {
    var state = state(bound: 1)
    let (first, second, third) = (item(), item(), item())
    _ = state.enqueue(first)
    #expect(words(state.enqueue(second)) == ["full"])
    #expect(state.enqueueWhenRoom(third) == nil)
    #expect(third.phase == .outside)
    #expect(state.fillRoom() == nil)
    #expect(third.phase == .outside)
    _ = state.cancel(first)
    #expect(state.fillRoom() == nil)
    #expect(third.phase == .waiting)
  }
}
