import Dispatch
import Measuring
import NIOCore
import NIOPosix
import SerialQueue

/// One item after another. Each item is awaited before the next one is enqueued, so the queue is idle in between.
enum RoundTrips {
  private static let count = 2_000

  static func measure() throws -> [Ranking] {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    defer { try? group.syncShutdownGracefully() }
    let loop = group.next()
    let queue = SerialQueue("round trips")
    let dispatch = DispatchQueue(label: "round trips")
    let stream = StreamQueue()
    let contestants = [
      contestant("SerialQueue") { tally in try await queue.run { tally.add() } },
      contestant("DispatchQueue.async and a continuation") { tally in
        await withCheckedContinuation { continuation in
          dispatch.async {
            tally.add()
            continuation.resume()
          }
        }
      },
      contestant("an AsyncStream queue and a continuation") { tally in
        await withCheckedContinuation { continuation in
          stream.enqueue {
            tally.add()
            continuation.resume()
          }
        }
      },
      contestant("EventLoop.submit") { tally in try await loop.submit { tally.add() }.get() },
      contestant("a task and its value") { tally in
        await Task.detached { tally.add() }.value
      },
      contestant("an actor's method", on: Counter.init, { await $0.add() }),
      Contestant("DispatchQueue.sync") {
        let tally = Tally(count)
        return ContinuousClock().measure {
          for _ in 0..<count { dispatch.sync { tally.add() } }
          tally.wait()
        }
      },
    ]
    let times = try Contestant.times(of: contestants, rounds: 21)
    return [
      Ranking(
        "a round trip", zip(contestants, times).map { (name: $0.name, times: $1) }, count: count)
    ]
  }

  private static func contestant(
    _ name: String, _ trip: @escaping @Sendable (Tally) async throws -> Void
  ) -> Contestant {
    contestant(name, on: { $0 }, trip)
  }

  private static func contestant<Subject: Sendable>(
    _ name: String, on make: @escaping @Sendable (Tally) -> Subject,
    _ trip: @escaping @Sendable (Subject) async throws -> Void
  ) -> Contestant {
    Contestant(name) {
      let tally = Tally(count)
      let subject = make(tally)
      return ContinuousClock().measure {
        Task.detached { for _ in 0..<count { try await trip(subject) } }
        tally.wait()
      }
    }
  }

  private actor Counter {
    private let tally: Tally
    init(_ tally: Tally) { self.tally = tally }
    func add() { tally.add() }
  }
}
