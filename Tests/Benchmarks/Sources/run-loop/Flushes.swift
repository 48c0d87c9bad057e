import Dispatch
import Measuring
import RunLoopTransaction

/// A thousand actions at the end of a turn, on the thread of the loop. The time is from the first request to the last
/// action.
enum Flushes {
  private static let count = 1_000
  private static let turns = 20

  static func measure() throws -> [Ranking] {
    let loop = LiveRuntime.shared.runLoop("flushes")
    let queue = TransactionQueue(on: loop)
    let targets = (0..<count).map { _ in Target() }
    let contestants = [
      flush("Transaction", on: loop) { done in
        for target in targets { Transaction(target, action: .layout).commit(to: queue) }
        Transaction(queue, "done") { _ in done() }.commit(to: queue)
      },
      flush("a job of the loop for each", on: loop) { done in
        for _ in targets { loop.schedule {} }
        loop.schedule(done)
      },
    ]
    let times = try Contestant.times(of: contestants, rounds: 21)
    return [
      Ranking(
        "one of a thousand transactions committed and performed in a turn",
        zip(contestants, times).map { (name: $0.name, times: $1) }, count: count * turns)
    ]
  }

  private static func flush(
    _ name: String, on loop: any RunLoopScheduler,
    _ body: @escaping @Sendable (_ done: @escaping @Sendable () -> Void) -> Void
  ) -> Contestant {
    Contestant(name) {
      let done = DispatchSemaphore(value: 0)
      return ContinuousClock().measure {
        for _ in 0..<turns {
          loop.schedule { body { done.signal() } }
          done.wait()
        }
      }
    }
  }
}
