import Measuring
import NIOCore
@preconcurrency import OpenCombine
import Promises

/// `map` without a hop, on a pending promise and on a resolved one. The time is from making the promise to the end of
/// the handler.
enum Maps {
  private static let count = 20_000
  private static let length = 1_000
  private static let placed = "Promise, placed by its scope"

  static func measure(_ peers: Peers) throws -> [Ranking] {
    let onPending = [
      Contestant(Peers.promise) { ContinuousClock().measure { pending(on: .inline) } },
      Contestant(Peers.nio) { [loop = peers.loop] in
        try peers.timeOnLoop { pending(on: loop) }
      },
      Contestant(Peers.combine) { ContinuousClock().measure(pendingInCombine) },
      Contestant(Peers.task) { ContinuousClock().measure { Peers.wait(for: pendingTasks) } },
      Contestant(placed) {
        withPromiseDefaults(on: .inline) {
          ContinuousClock().measure { pending(on: nil) }
        }
      },
    ]
    let onResolved = [
      Contestant(Peers.promise) { ContinuousClock().measure { resolved(on: .inline) } },
      Contestant(Peers.nio) { [loop = peers.loop] in
        try peers.timeOnLoop { resolved(on: loop) }
      },
      Contestant(Peers.combine) { ContinuousClock().measure(resolvedInCombine) },
      Contestant(Peers.task) { ContinuousClock().measure { Peers.wait(for: resolvedTasks) } },
      Contestant(placed) {
        withPromiseDefaults(on: .inline) {
          ContinuousClock().measure { resolved(on: nil) }
        }
      },
    ]
    func ranking(_ what: String, _ contestants: [Contestant], _ target: Double?) throws -> Ranking {
      let times = try Contestant.times(of: contestants, rounds: 41)
      return Ranking(
        what, zip(contestants, times).map { ($0.name, $1) }, count: count,
        targets: target.map { [Peers.nio: $0] } ?? [:])
    }
    let chains = [
      Contestant(Peers.promise) { ContinuousClock().measure(chain) },
      Contestant(Peers.nio) { [loop = peers.loop] in try peers.timeOnLoop { chain(on: loop) } },
    ]
    return [
      try ranking("map on a pending promise", onPending, 0.5),
      try ranking("map on a resolved promise", onResolved, 1 / 3),
      try ranking("a link of a chain of \(length) maps, pending", chains, nil),
    ]
  }

  // MARK: Chains

  private static func chain() {
    let sum = Sum()
    for _ in 0..<count / length {
      let (promise, resolver) = Promise<Int, Never>.withResolvers(on: .inline)
      var last = promise
      for _ in 0..<length {
        last = last.map { number in
          sum.add(number)
          return number
        }
      }
      resolver.fulfill(1)
    }
    sum.check(count)
  }

  @Sendable
  private static func chain(on loop: any EventLoop) {
    let sum = Sum()
    for _ in 0..<count / length {
      let promise = loop.makePromise(of: Int.self)
      var last = promise.futureResult
      for _ in 0..<length {
        last = last.map { number in
          sum.add(number)
          return number
        }
      }
      promise.succeed(1)
    }
    sum.check(count)
  }

  // MARK: Pending

  static func pending(on placement: Placement?) {
    let sum = Sum()
    for _ in 0..<count {
      let (promise, resolver) = Promise<Int, Never>.withResolvers(on: placement)
      _ = promise.map { number in
        sum.add(number)
        return number + 1
      }
      resolver.fulfill(1)
    }
    sum.check(count)
  }

  @Sendable
  private static func pending(on loop: any EventLoop) {
    let sum = Sum()
    for _ in 0..<count {
      let promise = loop.makePromise(of: Int.self)
      _ = promise.futureResult.map { number in
        sum.add(number)
        return number + 1
      }
      promise.succeed(1)
    }
    sum.check(count)
  }

  private static func pendingInCombine() {
    let sum = Sum()
    for _ in 0..<count {
      var promise: Future<Int, Never>.Promise?
      let future = Future<Int, Never> { promise = $0 }
      let subscription = future.map { $0 + 1 }.sink { sum.add($0 - 1) }
      promise?(.success(1))
      subscription.cancel()
    }
    sum.check(count)
  }

  @Sendable
  private static func pendingTasks() async {
    let sum = Sum()
    for _ in 0..<count {
      let task = Task.detached { 1 }
      sum.add(await Task.detached { await task.value + 1 }.value - 1)
    }
    sum.check(count)
  }

  // MARK: Resolved

  static func resolved(on placement: Placement?) {
    let sum = Sum()
    for _ in 0..<count {
      _ = Promise<Int, Never>.fulfilled(1, on: placement).map { number in
        sum.add(number)
        return number + 1
      }
    }
    sum.check(count)
  }

  @Sendable
  private static func resolved(on loop: any EventLoop) {
    let sum = Sum()
    for _ in 0..<count {
      _ = loop.makeSucceededFuture(1).map { number in
        sum.add(number)
        return number + 1
      }
    }
    sum.check(count)
  }

  private static func resolvedInCombine() {
    let sum = Sum()
    for _ in 0..<count {
      let subscription = Future<Int, Never> { $0(.success(1)) }.map { $0 + 1 }.sink {
        sum.add($0 - 1)
      }
      subscription.cancel()
    }
    sum.check(count)
  }

  /// One task has ended, and one task for each link awaits it.
  @Sendable
  private static func resolvedTasks() async {
    let sum = Sum()
    let task = Task.detached { 1 }
    _ = await task.value
    for _ in 0..<count { sum.add(await Task.detached { await task.value + 1 }.value - 1) }
    sum.check(count)
  }
}
