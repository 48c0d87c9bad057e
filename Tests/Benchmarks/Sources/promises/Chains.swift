import Dispatch
import Measuring
import NIOCore
@preconcurrency import OpenCombine
@preconcurrency import OpenCombineDispatch
import Promises

/// Chains of one, two or three handlers on their own serial scheduler. The next chain starts when the last handler of
/// the previous one has run. These are the shapes that google/promises measures.
enum Chains {
  private static let count = 500

  static func measure(_ peers: Peers) throws -> [Ranking] {
    var kinds: [(name: String, run: @Sendable (Int, DispatchSemaphore) -> Void)] = [
      (Peers.promise, { promise($0, on: peers.placement, $1) }),
      (
        "Promise on a Dispatch queue",
        {
          let scheduler = DispatchScheduler(queue: peers.queue)
          return { promise($0, on: .scheduler(scheduler), $1) }
        }()
      ),
      (Peers.nio, { future($0, on: peers.loop, $1) }),
      (Peers.combine, { combine($0, on: peers.queue, $1) }),
      (Peers.task, { task($0, $1) }),
      (Peers.dispatch, { dispatch($0, on: peers.queue, $1) }),
    ]
    #if PEER_PROMISE_KIT
      kinds.append((Peers.promiseKit, { PromiseKitPeer.chain($0, on: peers.queue, $1) }))
    #endif
    let contestants = (1...3).flatMap { links in
      kinds.map { kind in Contestant(kind.name) { time { kind.run(links, $0) } } }
    }
    let times = try Contestant.times(of: contestants, rounds: 21)
    let named = zip(kinds + kinds + kinds, times).map { (name: $0.name, times: $1) }
    let rankings = (1...3).map { links in
      Ranking(
        "then × \(links)", Array(named[(links - 1) * kinds.count..<links * kinds.count]),
        count: count,
        targets: links == 1 ? [Peers.nio: 0.9, Peers.dispatch: 1.3] : [Peers.nio: 0.9])
    }
    let oneHop = try Contestant.times(
      of: [
        Contestant("then × 3") { time { pending(3, on: peers.placement, $0) } },
        Contestant("then × 1") { time { pending(1, on: peers.placement, $0) } },
      ], rounds: 41)
    return rankings + [
      Ranking(
        "one hop for any number of links, fulfilled after all are added",
        [("then × 3", oneHop[0]), ("then × 1", oneHop[1])], count: count,
        targets: ["then × 1": 1.1]),
      Ranking(
        "one hop for any number of links, added while the first may be running",
        [("then × 3", named[2 * kinds.count].times), ("then × 1", named[0].times)], count: count,
        targets: ["then × 1": 1.1]),
    ]
  }

  static func runAlone(_ peers: Peers, links: Int) {
    _ = time { promise(links, on: peers.placement, $0) }
  }

  private static func time(_ run: (DispatchSemaphore) -> Void) -> Duration {
    let end = DispatchSemaphore(value: 0)
    return ContinuousClock().measure {
      for _ in 0..<count {
        run(end)
        end.waitAMinute()
      }
    }
  }

  private static func promise(
    _ links: Int, on placement: Placement, _ end: DispatchSemaphore
  ) {
    var promise = Promise<Bool, Never>.fulfilled(true, on: placement)
    for _ in 1..<links { promise = promise.map { $0 } }
    promise.done { _ in end.signal() }
  }

  private static func pending(
    _ links: Int, on placement: Placement, _ end: DispatchSemaphore
  ) {
    let (first, resolver) = Promise<Bool, Never>.withResolvers(on: placement)
    var promise = first
    for _ in 1..<links { promise = promise.map { $0 } }
    promise.done { _ in end.signal() }
    resolver.fulfill(true)
  }

  private static func future(_ links: Int, on loop: any EventLoop, _ end: DispatchSemaphore) {
    var future = loop.makeSucceededFuture(true)
    for _ in 1..<links { future = future.map { $0 } }
    future.whenSuccess { _ in end.signal() }
  }

  private static func combine(_ links: Int, on queue: DispatchQueue, _ end: DispatchSemaphore) {
    let future = Future<Bool, Never> { $0(.success(true)) }
    let hop = future.receive(on: queue.ocombine)
    let sink: (Bool) -> Void = { _ in end.signal() }
    let subscription =
      switch links {
      case 1: hop.sink(receiveValue: sink)
      case 2: hop.map { $0 }.receive(on: queue.ocombine).sink(receiveValue: sink)
      default:
        hop.map { $0 }.receive(on: queue.ocombine).map { $0 }.receive(on: queue.ocombine)
          .sink(receiveValue: sink)
      }
    // The semaphore must not be released before it has been signalled.
    end.waitAMinute()
    end.signal()
    subscription.cancel()
  }

  private static func task(_ links: Int, _ end: DispatchSemaphore) {
    var task = Task.detached { true }
    for _ in 1..<links { task = Task.detached { [task] in await task.value } }
    Task.detached { [task] in
      _ = await task.value
      end.signal()
    }
  }

  private static func dispatch(_ links: Int, on queue: DispatchQueue, _ end: DispatchSemaphore) {
    queue.async {
      if links == 1 { end.signal() } else { dispatch(links - 1, on: queue, end) }
    }
  }
}
