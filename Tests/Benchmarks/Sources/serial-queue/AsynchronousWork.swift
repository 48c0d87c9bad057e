import AsyncAlgorithms
import Dispatch
import Measuring
@preconcurrency import OpenCombine
import SerialQueue

#if PEER_QUEUE
  import Queue
#endif
#if PEER_ASYNC_QUEUE
  import AsyncQueue
#endif

/// Many asynchronous functions, enqueued together. The time is from enqueueing the first one to the end of the last.
enum AsynchronousWork {
  private static let count = 10_000

  static func measure() throws -> [Ranking] {
    var kinds: [(name: String, time: (@escaping Work) -> Duration)] = [
      ("SerialQueue", serialQueue), (Peers.stream, stream),
      ("an AsyncChannel, whose sender waits", channel), ("a chain of tasks", chain),
      ("OpenCombine's buffer and flatMap", combine),
    ]
    #if PEER_QUEUE
      kinds.append((Peers.queue, queue))
    #endif
    #if PEER_ASYNC_QUEUE
      kinds.append((Peers.asyncQueue, asyncQueue))
    #endif
    func contestants(suspending: Bool) -> [Contestant] {
      let work: Work = { tally in
        if suspending { await Task.yield() }
        await tally.addAsynchronously()
      }
      return kinds.map { kind in Contestant(kind.name) { kind.time(work) } }
    }
    let times = try Contestant.times(
      of: contestants(suspending: false) + contestants(suspending: true), rounds: 21)
    let named = zip(kinds + kinds, times).map { (name: $0.name, times: $1) }
    return [
      Ranking(
        "an asynchronous item of a burst", Array(named[..<kinds.count]), count: count,
        targets: [Peers.stream: 0.5]),
      Ranking(
        "an asynchronous item of a burst, which yields once", Array(named[kinds.count...]),
        count: count),
    ]
  }

  /// Runs one burst, with our queue only.
  static func runAlone() { _ = serialQueue { await $0.addAsynchronously() } }

  private typealias Work = @Sendable (Tally) async -> Void

  private static func serialQueue(_ work: @escaping Work) -> Duration {
    let queue = SerialQueue("asynchronous")
    return time { tally in for _ in 0..<count { _ = queue.enqueue { await work(tally) } } }
  }

  private static func stream(_ work: @escaping Work) -> Duration {
    let queue = StreamQueue()
    return time { tally in for _ in 0..<count { queue.enqueue { await work(tally) } } }
  }

  #if PEER_QUEUE
    private static func queue(_ work: @escaping Work) -> Duration {
      let queue = AsyncQueue()
      return time { tally in for _ in 0..<count { queue.addOperation { await work(tally) } } }
    }
  #endif

  #if PEER_ASYNC_QUEUE
    private static func asyncQueue(_ work: @escaping Work) -> Duration {
      let queue = FIFOQueue()
      return time { tally in for _ in 0..<count { Task(on: queue) { await work(tally) } } }
    }
  #endif

  private static func channel(_ work: @escaping Work) -> Duration {
    let channel = AsyncChannel<Tally>()
    Task.detached { for await tally in channel { await work(tally) } }
    return time { tally in
      Task.detached {
        for _ in 0..<count { await channel.send(tally) }
        channel.finish()
      }
    }
  }

  /// Each task awaits the previous one, which gives an order without a queue.
  private static func chain(_ work: @escaping Work) -> Duration {
    time { tally in
      var last: Task<Void, Never>?
      for _ in 0..<count {
        last = Task.detached { [last] in
          await last?.value
          await work(tally)
        }
      }
    }
  }

  private static func combine(_ work: @escaping Work) -> Duration {
    let subject = PassthroughSubject<Tally, Never>()
    let subscription =
      subject
      .buffer(size: count, prefetch: .byRequest, whenFull: .dropNewest)
      .flatMap(maxPublishers: .max(1)) { tally in
        Future<Void, Never> { promise in
          let end = Unchecked(value: promise)
          Task.detached {
            await work(tally)
            end.value(.success(()))
          }
        }
      }
      .sink { _ in }
    let time = time { tally in for _ in 0..<count { subject.send(tally) } }
    subscription.cancel()
    return time
  }

  /// Wraps a promise of OpenCombine, whose types are not marked `Sendable`. This relies on the locks of OpenCombine.
  private struct Unchecked<Value>: @unchecked Sendable {
    let value: Value
  }

  private static func time(_ enqueueAll: (Tally) -> Void) -> Duration {
    let tally = Tally(count)
    return ContinuousClock().measure {
      enqueueAll(tally)
      tally.wait()
    }
  }
}
