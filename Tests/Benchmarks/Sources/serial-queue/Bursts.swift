import Dispatch
import Foundation
import Measuring
import NIOCore
import NIOPosix
import SerialQueue

/// Many synchronous items, enqueued together. The time is from enqueueing the first one to the end of the last.
enum Bursts {
  private static let count = 100_000

  static func measure() throws -> [Ranking] {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    defer { try? group.syncShutdownGracefully() }
    let loop = group.next()

    /// Each closure enqueues its share of a burst on its own queue.
    let kinds: [(name: String, make: () -> @Sendable (_ share: Int, Tally) -> Void)] = [
      (
        "SerialQueue",
        {
          let queue = SerialQueue("burst")
          return { share, tally in for _ in 0..<share { queue.enqueue { tally.add() } } }
        }
      ),
      (
        Peers.dispatch,
        {
          let queue = DispatchQueue(label: "burst")
          return { share, tally in for _ in 0..<share { queue.async { tally.add() } } }
        }
      ),
      (
        "OperationQueue",
        {
          let queue = OperationQueue()
          queue.maxConcurrentOperationCount = 1
          return { share, tally in for _ in 0..<share { queue.addOperation { tally.add() } } }
        }
      ),
      (
        "EventLoop.execute",
        { { share, tally in for _ in 0..<share { loop.execute { tally.add() } } } }
      ),
      (
        Peers.stream,
        {
          let queue = StreamQueue()
          return { share, tally in for _ in 0..<share { queue.enqueue { tally.add() } } }
        }
      ),
    ]
    func contestants(producers: Int) -> [Contestant] {
      kinds.map { kind in Contestant(kind.name) { time(producers: producers, kind.make()) } }
    }
    let times = try Contestant.times(
      of: contestants(producers: 1) + contestants(producers: 4), rounds: 15)
    let named = zip(kinds + kinds, times).map { (name: $0.name, times: $1) }
    return [
      Ranking(
        "a synchronous item of a burst, from one producer", Array(named[..<kinds.count]),
        count: count, targets: [Peers.dispatch: 0.5]),
      Ranking(
        "a synchronous item of a burst, from four producers", Array(named[kinds.count...]),
        count: count, targets: [Peers.dispatch: 0.4]),
    ]
  }

  /// A burst only for our queue.
  static func runAlone(producers: Int) {
    let queue = SerialQueue("burst")
    _ = time(producers: producers) { share, tally in
      for _ in 0..<share { queue.enqueue { tally.add() } }
    }
  }

  private static func time(
    producers: Int, _ enqueue: @escaping @Sendable (Int, Tally) -> Void
  ) -> Duration {
    let tally = Tally(count)
    guard producers > 1 else {
      return ContinuousClock().measure {
        enqueue(count, tally)
        tally.wait()
      }
    }
    let threads = (0..<producers).map { _ in
      // New threads, so that the items of a peer never wait for the worker of a producer.
      let (isReady, mayStart) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let thread = Thread {
        isReady.signal()
        mayStart.wait()
        enqueue(count / producers, tally)
      }
      thread.start()
      isReady.wait()
      return mayStart
    }
    return ContinuousClock().measure {
      for mayStart in threads { mayStart.signal() }
      tally.wait()
    }
  }
}
