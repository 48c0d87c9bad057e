import Dispatch
import Measuring
import NIOCore
@preconcurrency import OpenCombine
import Promises

/// The values of ten thousand pending promises, which are fulfilled one after another, without a hop.
enum Gathering {
  private static let count = 10_000

  static func measure(_ peers: Peers) throws -> [Ranking] {
    let contestants = [
      Contestant(Peers.promise) { ContinuousClock().measure(all) },
      Contestant(Peers.nio) { [loop = peers.loop] in try peers.timeOnLoop { all(on: loop) } },
      Contestant(Peers.combine) { ContinuousClock().measure(merged) },
      Contestant("a group of tasks") { ContinuousClock().measure { Peers.wait(for: tasks) } },
      Contestant("a Dispatch group") { ContinuousClock().measure(dispatchGroup) },
    ]
    let times = try Contestant.times(of: contestants, rounds: 21)
    return [
      Ranking(
        "all of \(count), whole", zip(contestants, times).map { ($0.name, $1) }, count: 1,
        targets: [Peers.nio: 0.5])
    ]
  }

  static func all() {
    let sum = Sum()
    let pairs = (0..<count).map { _ in Promise<Int, Never>.withResolvers(on: .inline) }
    Promise.all(pairs.map(\.promise)).whenComplete { (result: Result<[Int], Never>) in
      if case .success(let values) = result { sum.add(values.count) }
    }
    for (_, resolver) in pairs { resolver.fulfill(1) }
    sum.check(count)
  }

  @Sendable
  private static func all(on loop: any EventLoop) {
    let sum = Sum()
    let promises = (0..<count).map { _ in loop.makePromise(of: Int.self) }
    EventLoopFuture.whenAllSucceed(promises.map(\.futureResult), on: loop)
      .whenSuccess { sum.add($0.count) }
    for promise in promises { promise.succeed(1) }
    sum.check(count)
  }

  private static func merged() {
    let sum = Sum()
    var promises: [Future<Int, Never>.Promise] = []
    let futures = (0..<count).map { _ in Future<Int, Never> { promises.append($0) } }
    let subscription = Publishers.Sequence<[Future<Int, Never>], Never>(sequence: futures)
      .flatMap { $0 }.collect().sink { sum.add($0.count) }
    for promise in promises { promise(.success(1)) }
    subscription.cancel()
    sum.check(count)
  }

  @Sendable
  private static func tasks() async {
    let values = await withTaskGroup(of: (Int, Int).self) { group in
      for index in 0..<count { group.addTask { (index, 1) } }
      var values = [Int](repeating: 0, count: count)
      for await (index, value) in group { values[index] = value }
      return values
    }
    let sum = Sum()
    sum.add(values.reduce(0, +))
    sum.check(count)
  }

  /// The values are left out: they would be in an array that somebody has to lock.
  private static func dispatchGroup() {
    let (group, end) = (DispatchGroup(), DispatchSemaphore(value: 0))
    for _ in 0..<count { group.enter() }
    group.notify(queue: .global()) { end.signal() }
    for _ in 0..<count { group.leave() }
    end.waitAMinute()
  }
}
