import Dispatch
import Measuring
import NIOCore
@preconcurrency import OpenCombine
import Promises

/// The shape of Bluebird's benchmark doxbee-sequential: ten thousand concurrent uploads. Each makes seven asynchronous
/// calls, the first two together and the others one after another. A serial scheduler completes the calls.
enum Doxbee {
  private static let count = 10_000
  /// The result of an upload that starts with 1.
  private static let expected = 5

  static func measure(_ peers: Peers) throws -> [Ranking] {
    var contestants = [
      Contestant(Peers.promise) { time { promise(count, eachOn: peers.scheduler, $0) } },
      Contestant(Peers.nio) { [loop = peers.loop] in time { future(on: loop, $0) } },
      Contestant(Peers.combine) { time { combine(peers.queue, $0) } },
      Contestant(Peers.task) { time { tasks(peers.queue, $0) } },
      Contestant("Promise, placed by its scope") {
        time { promise(count, on: peers.scheduler, $0) }
      },
      Contestant("callbacks on a Dispatch queue") { time { callbacks(peers.queue, $0) } },
    ]
    #if PEER_PROMISE_KIT
      contestants.append(
        Contestant(Peers.promiseKit) {
          time { PromiseKitPeer.uploads(count, on: peers.queue, $0) }
        })
    #endif
    let times = try Contestant.times(of: contestants, rounds: 11)
    return [
      Ranking(
        "an upload of doxbee-sequential", zip(contestants, times).map { ($0.name, $1) },
        count: count, targets: [Peers.task: 1])
    ]
  }

  static func runAlone(_ peers: Peers) { _ = time { promise(count, on: peers.scheduler, $0) } }

  /// Uploads on the calling thread.
  static func upload(_ count: Int) {
    let (scheduler, sum) = (SteppedScheduler(capacity: 7 * count), Sum())
    promise(count, on: scheduler) { sum.add($0) }
    scheduler.runAll()
    sum.check(count * expected)
  }

  private static func time(_ run: (@escaping @Sendable (Int) -> Void) -> Void) -> Duration {
    let group = DispatchGroup()
    for _ in 0..<count { group.enter() }
    return ContinuousClock().measure {
      run { value in
        guard value == expected else {
          fatalError("an upload yielded \(value) instead of \(expected)")
        }
        group.leave()
      }
      guard group.wait(timeout: .now() + .seconds(60)) == .success else {
        fatalError("some uploads did not end")
      }
    }
  }

  // MARK: Promise

  /// Uploads whose scope sets their scheduler.
  private static func promise(
    _ count: Int, on scheduler: any Scheduler, _ end: @escaping @Sendable (Int) -> Void
  ) {
    withPromiseDefaults(on: .scheduler(scheduler)) {
      promise(count, end) { value in
        Promise { resolver in scheduler.schedule { resolver.fulfill(value) } }
      }
    }
  }

  /// Uploads in which each call sets its own scheduler.
  private static func promise(
    _ count: Int, eachOn scheduler: any Scheduler, _ end: @escaping @Sendable (Int) -> Void
  ) {
    promise(count, end) { value in
      Promise(on: .scheduler(scheduler)) { resolver in
        scheduler.schedule { resolver.fulfill(value) }
      }
    }
  }

  private static func promise(
    _ count: Int, _ end: @escaping @Sendable (Int) -> Void,
    _ call: @escaping @Sendable (Int) -> Promise<Int, any Error>
  ) {
    for _ in 0..<count {
      Promise.all([call(1), call(2)])
        .then { values in call(values[0] + values[1]) }
        .then { version in call(version).then { call($0) }.map { $0 + 1 } }
        .then { file in call(file) }
        .then { file in call(file) }
        .map { $0 + 1 }
        .done { end($0) }
    }
  }

  // MARK: NIO

  private static func future(on loop: any EventLoop, _ end: @escaping @Sendable (Int) -> Void) {
    @Sendable func call(_ value: Int) -> EventLoopFuture<Int> {
      let promise = loop.makePromise(of: Int.self)
      loop.execute { promise.succeed(value) }
      return promise.futureResult
    }
    // SwiftNIO is fastest if everything runs on the loop.
    loop.execute {
      for _ in 0..<count {
        EventLoopFuture.whenAllSucceed([call(1), call(2)], on: loop)
          .flatMap { values in call(values[0] + values[1]) }
          .flatMap { version in call(version).flatMap { call($0) }.map { $0 + 1 } }
          .flatMap { file in call(file) }
          .flatMap { file in call(file) }
          .map { $0 + 1 }
          .whenSuccess { end($0) }
      }
    }
  }

  // MARK: OpenCombine

  private static func combine(_ queue: DispatchQueue, _ finish: @escaping @Sendable (Int) -> Void) {
    func call(_ value: Int) -> Future<Int, Never> {
      Future { promise in
        let promise = Unchecked(promise)
        queue.async { promise.value(.success(value)) }
      }
    }
    func both() -> AnyPublisher<Int, Never> {
      Publishers.Sequence<[Future<Int, Never>], Never>(sequence: [call(1), call(2)])
        .flatMap { $0 }.collect().map { $0[0] + $0[1] }.eraseToAnyPublisher()
    }
    func query(_ version: Int) -> AnyPublisher<Int, Never> {
      call(version).flatMap { call($0) }.map { $0 + 1 }.eraseToAnyPublisher()
    }
    let isDone = DispatchGroup()
    var subscriptions: [AnyCancellable] = []
    for _ in 0..<count {
      isDone.enter()
      let upload = both().flatMap { call($0) }.flatMap { query($0) }
      let end = upload.flatMap { call($0) }.flatMap { call($0) }.map { $0 + 1 }
      subscriptions.append(
        end.sink { value in
          finish(value)
          isDone.leave()
        })
    }
    isDone.wait()
    withExtendedLifetime(subscriptions) {}
  }

  // MARK: Tasks

  private static func tasks(_ queue: DispatchQueue, _ end: @escaping @Sendable (Int) -> Void) {
    @Sendable func call(_ value: Int) async -> Int {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume(returning: value) }
      }
    }
    for _ in 0..<count {
      Task.detached {
        async let (blob, found) = (call(1), call(2))
        let version = await call(blob + found)
        let file = await call(await call(version)) + 1
        end(await call(await call(file)) + 1)
      }
    }
  }

  // MARK: Dispatch

  private static func callbacks(_ queue: DispatchQueue, _ end: @escaping @Sendable (Int) -> Void) {
    @Sendable func call(_ value: Int, _ completion: @escaping @Sendable (Int) -> Void) {
      queue.async { completion(value) }
    }
    for _ in 0..<count {
      let both = Sum()
      let joined: @Sendable (Int) -> Void = { value in
        // The second of the two calls reads the value of the first.
        defer { both.add(value) }
        guard both.value > 0 else { return }
        call(both.value + value) { version in
          call(version) { query in
            call(query) { id in
              call(id + 1) { file in
                call(file) { end($0 + 1) }
              }
            }
          }
        }
      }
      call(1, joined)
      call(2, joined)
    }
  }
}
