#if PEER_PROMISE_KIT
  import Dispatch
  @preconcurrency import PromiseKit

  /// The same work with the promises of PromiseKit.
  enum PromiseKitPeer {
    static func chain(_ links: Int, on queue: DispatchQueue, _ end: DispatchSemaphore) {
      var guarantee = Guarantee.value(true)
      for _ in 1..<links { guarantee = guarantee.map(on: queue) { $0 } }
      guarantee.done(on: queue) { _ in end.signal() }
    }

    static func handlers(_ count: Int, on pool: DispatchQueue, _ group: DispatchGroup) {
      let resolvers = (0..<count).map { _ in
        let (guarantee, resolve) = Guarantee<Bool>.pending()
        guarantee.done(on: pool) { _ in group.leave() }
        return resolve
      }
      for resolve in resolvers { resolve(true) }
    }

    static func uploads(
      _ count: Int, on queue: DispatchQueue, _ end: @escaping @Sendable (Int) -> Void
    ) {
      func call(_ value: Int) -> Promise<Int> {
        let (promise, resolver) = Promise<Int>.pending()
        queue.async { resolver.fulfill(value) }
        return promise
      }
      for _ in 0..<count {
        when(fulfilled: [call(1), call(2)])
          .then(on: queue) { values in call(values[0] + values[1]) }
          .then(on: queue) { version in
            call(version).then(on: queue) { call($0) }.map(on: queue) { $0 + 1 }
          }
          .then(on: queue) { file in call(file) }
          .then(on: queue) { file in call(file) }
          .map(on: queue) { $0 + 1 }
          .done(on: queue) { end($0) }
          .cauterize()
      }
    }
  }
#endif
