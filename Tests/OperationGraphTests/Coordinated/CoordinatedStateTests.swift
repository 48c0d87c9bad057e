import AsyncPatterns
import Testing

@testable import OperationGraph

/// Tests the decisions of a coordinated run without its lock, threads or effects.
@Suite struct CoordinatedStateTests {
  private final class Taker: ResourceUser {
    func lookForResources() {}
  }

  struct Failure: Error {}

  private let taker = Taker()

  /// Two operations in a chain that end when their tokens are called.
  private func chain(isOpen: Bool = false, workers: Int? = 1) throws -> CoordinatedState {
    var graph = OperationGraph()
    let first = graph.addWithCompletion("first") { _ in }
    graph.addWithCompletion("second", after: first) { _ in }
    return try CoordinatedState(
      graph, try graph.plan(), onFailure: .stop, width: 2, workers: workers, pool: nil,
      isOpen: isOpen, isSuspended: false, isRecording: false)
  }

  private func settle(
    _ state: inout CoordinatedState, _ actions: [CoordinatedAction]
  ) -> CoordinatedDecision {
    var none: ResourceState?
    return state.settle(actions, &none, taker)
  }

  /// Names the decision.
  private func word(_ decision: CoordinatedDecision) -> String {
    switch decision.next {
    case .wait: "wait"
    case .wakeWorker: "wake"
    case .start(let operations): "start \(operations)"
    case .searchDeadlock: "search"
    case .conclude(let conclusion): conclusion.failure.map { "failed: \($0)" } ?? "succeeded"
    }
  }

  private func words(_ actions: [CoordinatedAction]) -> [String] {
    actions.map { action in
      switch action {
      case .deliverEvents: "deliver"
      case .ask: "ask"
      case .retry: "retry"
      case .cancel: "cancel"
      case .cancelTimer: "cancel the timer"
      case .notify: "notify"
      case .look: "look"
      case .release: "release"
      }
    }
  }

  @Test(arguments: [true, false])
  func `an end takes effect only when the code has returned, too`(isReturnedFirst: Bool) throws {
    var state = try chain(workers: nil)
    #expect(word(settle(&state, state.begin())) == "start [0]")
    #expect(state.start(0)?.cancellation != nil)
    let returned = CoordinatedReturn(operation: 0, end: .later)
    let first = isReturnedFirst ? state.didReturn(returned) : state.finish(0, nil)
    #expect(first.isEmpty)
    #expect(state.nodes[0].ending == nil)
    let last = isReturnedFirst ? state.finish(0, nil) : state.didReturn(returned)
    #expect(words(last) == ["release"])
    #expect(word(settle(&state, last)) == "start [1]")
  }

  @Test func `one worker is woken at a time`() throws {
    var state = try chain(workers: 2)
    #expect(word(settle(&state, state.begin())) == "wake")
    #expect(word(settle(&state, [])) == "wait")
    var none: ResourceState?
    #expect(state.startNext(after: nil, &none, taker).start?.operation == 0)
    #expect(state.startNext(after: nil, &none, taker).start == nil)
  }

  @Test func `a cancelled run notifies each running operation once`() throws {
    var state = try chain(isOpen: true, workers: nil)
    _ = settle(&state, state.begin())
    _ = state.start(0)
    #expect(words(state.cancelAll()) == ["cancel"])
    #expect(state.life == .cancelled)
    #expect(state.cancelAll().isEmpty)
    let end = state.didReturn(CoordinatedReturn(operation: 0, end: .ended(nil)))
    #expect(word(settle(&state, end)) == "failed: CancellationError()")
    #expect(state.life == .concluded(isStopped: true))
    #expect(word(settle(&state, [])) == "wait")
  }

  @Test func `an open run completes when it is closed`() throws {
    var state = try chain(isOpen: true, workers: nil)
    for operation in Int32(0)..<2 {
      _ = settle(&state, operation == 0 ? state.begin() : [])
      _ = state.start(operation)
      let end = state.didReturn(CoordinatedReturn(operation: operation, end: .ended(nil)))
      #expect(word(settle(&state, end)) == (operation == 0 ? "start [1]" : "wait"))
    }
    state.close()
    #expect(word(settle(&state, [])) == "succeeded")
  }

  @Test func `the first event decides why a run has not succeeded`() {
    var fault = RunFault.none
    #expect(fault.error(.stop) == nil)
    fault.fail("a", Failure())
    fault.cancel(CancellationError())
    fault.fail("b", Failure())
    #expect(fault.error(.stop) is Failure)
    #expect((fault.error(.continue) as? GraphFailures)?.failures.map(\.operation) == ["a", "b"])
    var cancelled = RunFault.none
    cancelled.cancel(CancellationError())
    cancelled.fail("a", Failure())
    #expect(cancelled.error(.continue) is CancellationError)
    var own = RunFault.none
    own.operationCancelled(CancellationError())
    #expect(own.error(.continue) is CancellationError)
    own.fail("a", Failure())
    own.operationCancelled(CancellationError())
    #expect((own.error(.continue) as? GraphFailures)?.failures.map(\.operation) == ["a"])
  }
}
