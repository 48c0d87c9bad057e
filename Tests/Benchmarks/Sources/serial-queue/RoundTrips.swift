import Dispatch
import Measuring
import NIOCore
import NIOPosix
import SerialQueue

#if PEER_QUEUE
  import Queue
#endif
#if PEER_ASYNC_QUEUE
  import AsyncQueue
#endif

/// One item after another. Each item is awaited before the next one is enqueued, so the queue is idle in between.
enum RoundTrips {
  private static let count = 2_000

  static func measure() throws -> [Ranking] { [try betweenThreads(), try amongTasks()] }

  /// The items run on other threads than the task that awaits them.
  private static func betweenThreads() throws -> Ranking {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    defer { try? group.syncShutdownGracefully() }
    let loop = group.next()
    let queue = SerialQueue("round trips")
    let dispatch = DispatchQueue(label: "round trips")
    return try ranking(
      "a round trip to another thread",
      [
        contestant("SerialQueue") { tally in try await queue.run { tally.add() } },
        contestantOnDispatch(dispatch),
        contestant("EventLoop.submit") { tally in try await loop.submit { tally.add() }.get() },
      ], targets: [Peers.continuation: 1])
  }

  /// The items run on the threads of Swift's tasks.
  private static func amongTasks() throws -> Ranking {
    let queue = SerialQueue("round trips", on: .inline)
    let stream = StreamQueue()
    let dispatch = DispatchQueue(label: "round trips")
    var contestants = [
      contestant("SerialQueue, inline") { tally in try await queue.run { tally.add() } },
      contestantOnDispatch(dispatch),
      contestant("an AsyncStream queue and a continuation") { tally in
        await withCheckedContinuation { continuation in
          stream.enqueue {
            tally.add()
            continuation.resume()
          }
        }
      },
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
    #if PEER_QUEUE
      let queueOfTasks = AsyncQueue()
      contestants.append(
        contestant(Peers.queue) { tally in await queueOfTasks.addOperation { tally.add() }.value })
    #endif
    #if PEER_ASYNC_QUEUE
      let fifo = FIFOQueue()
      contestants.append(
        contestant(Peers.asyncQueue) { tally in await Task(on: fifo) { tally.add() }.value })
    #endif
    return try ranking(
      "a round trip among tasks", contestants,
      targets: [Peers.continuation: 1, Peers.queue: 1, "a task and its value": 1])
  }

  private static func ranking(
    _ what: String, _ contestants: [Contestant], targets: [String: Double]
  ) throws -> Ranking {
    let times = try Contestant.times(of: contestants, rounds: 21)
    return Ranking(
      what, zip(contestants, times).map { (name: $0.name, times: $1) }, count: count,
      targets: targets)
  }

  private static func contestantOnDispatch(_ queue: DispatchQueue) -> Contestant {
    contestant(Peers.continuation) { tally in
      await withCheckedContinuation { continuation in
        queue.async {
          tally.add()
          continuation.resume()
        }
      }
    }
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
