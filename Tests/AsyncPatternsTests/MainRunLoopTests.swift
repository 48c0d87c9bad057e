import AsyncPatterns
import PatternTesting
import Testing

/// These tests run without a run loop on the main thread, because the program that runs the tests has none.
@Suite(.timeLimit(.minutes(1)), .serialized) struct MainRunLoopTests {
  private let runtime = LiveRuntime(workers: 1)

  @Test func `actions run in their order on the main lane`() async {
    let order = Locked<[String]>([])
    var taken: [any Cancellable] = []
    let wake = Locked(0)
    let lanes = Locked<[Lane]>([])
    await ended { end in
      for (place, name) in [(2, "c"), (1, "a"), (1, "b")] {
        taken.append(
          runtime.atEndOfTurn(order: place) {
            guard wake.withLock({ $0 }) == 0 else { return }
            order.withLock { $0.append(name) }
            lanes.withLock { $0.append(LaneContext.current.lane) }
            if name == "c" {
              wake.withLock { $0 = 1 }
              end()
            }
          })
      }
      runtime.wakeMain()
    }
    for action in taken { action.cancel() }
    #expect(order.withLock { $0 } == ["a", "b", "c"])
    #expect(lanes.withLock { $0 } == [.main, .main, .main])
  }

  @Test func `an action that an earlier one cancels does not run`() async {
    let second = Locked<(any Cancellable)?>(nil)
    let isTooLate = Locked(false)
    var taken: [any Cancellable] = []
    await ended { end in
      let isEnded = Locked(false)
      taken.append(runtime.atEndOfTurn(order: 1) { second.withLock { $0 }?.cancel() })
      let called = runtime.atEndOfTurn(order: 2) { isTooLate.withLock { $0 = true } }
      second.withLock { $0 = called }
      taken.append(
        runtime.atEndOfTurn(order: 3) {
          if isEnded.withLock({ isEnded in
            defer { isEnded = true }
            return !isEnded
          }) {
            end()
          }
        })
      runtime.wakeMain()
    }
    for action in taken { action.cancel() }
    #expect(!isTooLate.withLock { $0 })
  }

  @Test func `an action runs on behalf of the step that requested it`() async {
    let recording = Recording()
    let runtime = runtime.tracing(to: recording)
    let seen = Locked<Span?>(nil)
    await withCheckedContinuation { continuation in
      let asking = Step("asking") { _, scope, completion in
        let action = Locked<(any Cancellable)?>(nil)
        let added = scope.runtime.atEndOfTurn(order: 0) {
          action.withLock { $0 }?.cancel()
          seen.withLock { $0 = LaneContext.current.span }
          completion(.success(.none))
        }
        action.withLock { $0 = added }
        scope.runtime.wakeMain()
      }
      Run(asking, on: runtime) { _ in continuation.resume() }
    }
    #expect(seen.withLock { $0 } == recording.events.first { $0.kind == .submitted }?.span)
  }
}
