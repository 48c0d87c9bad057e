import Allocations
import NIOCore
import Promises

/// The allocations of a link of a chain, from making the link to releasing the chain, without a hop.
struct LinkAllocations: CustomStringConvertible {
  struct Amount: Sendable {
    var count = 0.0
    var bytes = 0.0
  }

  let what: String
  let measured: Amount
  let peer: Amount
  let target: Double

  var isMissed: Bool { measured.count > target + 0.01 }

  var description: String {
    "\(what): \(Self.text(measured))  ·  \(Peers.nio) \(Self.text(peer))  ·  "
      + "at most \(Self.rounded(target)): \(isMissed ? "MISSED" : "kept")"
  }

  private static func text(_ amount: Amount) -> String {
    "\(rounded(amount.count)) allocations of \(rounded(amount.bytes)) bytes together"
  }

  private static func rounded(_ number: Double) -> String {
    String((number * 100).rounded() / 100)
  }

  // MARK: Counting

  private static let count = 1_000

  static func measure(_ peers: Peers) throws -> [LinkAllocations] {
    let loop = peers.loop
    func figure(
      _ what: String, target: Double, _ body: @Sendable () -> Void,
      _ peer: @escaping @Sendable () -> Void
    ) throws -> LinkAllocations {
      LinkAllocations(
        what: what, measured: amount(of: body), peer: try loop.submit { amount(of: peer) }.wait(),
        target: target)
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
      // One of them is the promise that the handler makes.
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
    ]
  }

  private static func amount(of body: () -> Void) -> Amount {
    // The first call makes all objects that are made only once.
    body()
    let before = (allocation_count(), allocated_bytes())
    body()
    return Amount(
      count: Double(allocation_count() - before.0) / Double(count),
      bytes: Double(allocated_bytes() - before.1) / Double(count))
  }
}
