import Dispatch
import Measuring
import NIOCore
@preconcurrency import OpenCombine
@preconcurrency import OpenCombineDispatch
import Promises

/// Ten thousand pending promises, which are fulfilled one after another. Each has a handler that runs on any worker.
/// This is another shape that google/promises measures.
enum Concurrent {
  private static let count = 10_000

  static func measure(_ peers: Peers) throws -> [Ranking] {
    var contestants = [
      Contestant(Peers.promise) { time(promise) },
      Contestant(Peers.nio) { time { future(peers, $0) } },
      Contestant(Peers.combine) { time { combine(peers, $0) } },
      Contestant(Peers.task) { time(task) },
      Contestant(Peers.dispatch) { time { dispatch(peers, $0) } },
    ]
    #if PEER_PROMISE_KIT
      contestants.append(
        Contestant(Peers.promiseKit) { time { PromiseKitPeer.handlers(count, on: peers.pool, $0) } }
      )
    #endif
    let times = try Contestant.times(of: contestants, rounds: 21)
    return [
      Ranking(
        "\(count) promises with a handler on the pool, each",
        zip(contestants, times).map { ($0.name, $1) }, count: count,
        targets: [Peers.dispatch: 1.2])
    ]
  }

  static func runAlone() { _ = time(promise) }

  private static func time(_ run: (DispatchGroup) -> Void) -> Duration {
    let group = DispatchGroup()
    return ContinuousClock().measure {
      for _ in 0..<count { group.enter() }
      run(group)
      guard group.wait(timeout: .now() + .seconds(60)) == .success else {
        fatalError("some handlers did not run")
      }
    }
  }

  private static func promise(_ group: DispatchGroup) {
    let resolvers = (0..<count).map { _ in
      let (promise, resolver) = Promise<Bool, Never>.withResolvers(on: .pool)
      promise.done { _ in group.leave() }
      return resolver
    }
    for resolver in resolvers { resolver.fulfill(true) }
  }

  private static func future(_ peers: Peers, _ group: DispatchGroup) {
    let promises = (0..<count).map { _ in
      let promise = peers.group.next().makePromise(of: Bool.self)
      promise.futureResult.whenSuccess { _ in group.leave() }
      return promise
    }
    for promise in promises { promise.succeed(true) }
  }

  /// Uses a serial queue. On a concurrent queue, `receive(on:)` may deliver the end before the value, and then loses
  /// the value.
  private static func combine(_ peers: Peers, _ group: DispatchGroup) {
    var subscriptions: [AnyCancellable] = []
    var promises: [Future<Bool, Never>.Promise] = []
    for _ in 0..<count {
      let future = Future<Bool, Never> { promises.append($0) }
      subscriptions.append(
        future.receive(on: peers.queue.ocombine).sink { _ in group.leave() })
    }
    for promise in promises { promise(.success(true)) }
    group.wait()
    withExtendedLifetime(subscriptions) {}
  }

  /// Each task awaits a continuation, because tasks have no other pending value.
  private static func task(_ group: DispatchGroup) {
    let (gates, opened) = (Gates(count), DispatchGroup())
    for index in 0..<count {
      opened.enter()
      Task.detached {
        await withCheckedContinuation { continuation in
          gates.add(continuation, at: index)
          opened.leave()
        }
        group.leave()
      }
    }
    opened.wait()
    gates.openAll()
  }

  private static func dispatch(_ peers: Peers, _ group: DispatchGroup) {
    for _ in 0..<count { peers.pool.async { group.leave() } }
  }
}

/// Continuations that wait to be resumed.
private final class Gates: @unchecked Sendable {
  // Safe to share: each task writes its own element, and all have written before the first read.
  private let continuations: UnsafeMutableBufferPointer<CheckedContinuation<Void, Never>?>

  init(_ count: Int) {
    continuations = .allocate(capacity: count)
    continuations.initialize(repeating: nil)
  }

  deinit {
    continuations.deinitialize()
    continuations.deallocate()
  }

  func add(_ continuation: CheckedContinuation<Void, Never>, at index: Int) {
    continuations[index] = continuation
  }

  func openAll() { for continuation in continuations { continuation?.resume() } }
}
