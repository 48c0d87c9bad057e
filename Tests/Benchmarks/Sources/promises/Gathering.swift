import Dispatch
import Measuring
import NIOCore
@preconcurrency import OpenCombine
import Promises

/// Gathers the values of ten thousand pending promises, which are fulfilled one after another without a hop. The time
/// starts when all promises exist.
enum Gathering {
  private static let count = 10_000

  static func measure(_ peers: Peers) throws -> [Ranking] {
    let contestants = [
      Contestant(Peers.promise, round: all),
      Contestant(Peers.nio) { [loop = peers.loop] in try loop.submit { all(on: loop) }.wait() },
      Contestant(Peers.combine, round: merged),
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

  static func all() -> Duration {
    let sum = Sum()
    let pairs = (0..<count).map { _ in Promise<Int, Never>.withResolvers(on: .inline) }
    let promises = pairs.map(\.promise)
    defer { sum.check(count) }
    return ContinuousClock().measure {
      Promise.all(promises).whenComplete { (result: Result<[Int], Never>) in
        if case .success(let values) = result { sum.add(values.count) }
      }
      for (_, resolver) in pairs { resolver.fulfill(1) }
    }
  }

  @Sendable
  private static func all(on loop: any EventLoop) -> Duration {
    let sum = Sum()
    let promises = (0..<count).map { _ in loop.makePromise(of: Int.self) }
    let futures = promises.map(\.futureResult)
    defer { sum.check(count) }
    return ContinuousClock().measure {
      EventLoopFuture.whenAllSucceed(futures, on: loop).whenSuccess { sum.add($0.count) }
      for promise in promises { promise.succeed(1) }
    }
  }

  private static func merged() -> Duration {
    let sum = Sum()
    var promises: [Future<Int, Never>.Promise] = []
    let futures = (0..<count).map { _ in Future<Int, Never> { promises.append($0) } }
    defer { sum.check(count) }
    return ContinuousClock().measure {
      let subscription = Publishers.Sequence<[Future<Int, Never>], Never>(sequence: futures)
        .flatMap { $0 }.collect().sink { sum.add($0.count) }
      for promise in promises { promise(.success(1)) }
      subscription.cancel()
    }
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

  /// Without values, because they would need an array that is protected by a lock.
  private static func dispatchGroup() {
    let (group, end) = (DispatchGroup(), DispatchSemaphore(value: 0))
    for _ in 0..<count { group.enter() }
    group.notify(queue: .global()) { end.signal() }
    for _ in 0..<count { group.leave() }
    end.waitAMinute()
  }
}
