import Allocations
import Measuring
import NIOCore
import Promises

/// The allocations of a link of a chain, from making the link to releasing the chain, without a hop. Also the
/// allocations of a whole upload of doxbee-sequential.
enum LinkAllocations {
  private static let count = 1_000

  static func measure(_ peers: Peers) throws -> [Figure] {
    let loop = peers.loop
    func figure(
      _ what: String, target: Double, _ body: @Sendable () -> Void,
      _ peer: @escaping @Sendable () -> Void
    ) throws -> Figure {
      Figure(
        what, allocations(body),
        peer: (Peers.nio, try loop.submit { allocations(peer) }.wait()),
        target: .amount(.number(target, of: "allocations")))
    }
    return [
      try figure("a map on a pending promise", target: 1) {
        let (promise, resolver) = Promise<Int, Never>.withResolvers(on: .inline)
        var last = promise
        for _ in 0..<count { last = last.map { $0 + 1 } }
        resolver.fulfill(1)
      } _: {
        let promise = loop.makePromise(of: Int.self)
        var last = promise.futureResult
        for _ in 0..<count { last = last.map { $0 + 1 } }
        promise.succeed(1)
      },
      try figure("a map on a resolved promise", target: 1) {
        var last = Promise<Int, Never>.fulfilled(1, on: .inline)
        for _ in 0..<count { last = last.map { $0 + 1 } }
      } _: {
        var last = loop.makeSucceededFuture(1)
        for _ in 0..<count { last = last.map { $0 + 1 } }
      },
      // One of the two allocations is the promise that the handler makes.
      try figure("a then on a pending promise, of a resolved one", target: 2) {
        let (promise, resolver) = Promise<Int, Never>.withResolvers(on: .inline)
        var last = promise
        for _ in 0..<count { last = last.then { .fulfilled($0 + 1) } }
        resolver.fulfill(1)
      } _: {
        let promise = loop.makePromise(of: Int.self)
        var last = promise.futureResult
        for _ in 0..<count { last = last.flatMap { loop.makeSucceededFuture($0 + 1) } }
        promise.succeed(1)
      },
      Figure(
        "an upload of doxbee-sequential", allocations { Doxbee.upload(count) },
        target: .amount(.number(55.01, of: "allocations"))),
    ]
  }

  private static func allocations(_ body: () -> Void) -> Amount {
    // The first call makes all objects that are made only once.
    body()
    let before = allocation_count()
    body()
    // Rounded, since a call of `body` makes a few objects besides those of its links or uploads.
    let each = (Double(allocation_count() - before) / Double(count) * 100).rounded() / 100
    return .number(each, of: "allocations")
  }
}
