import Promises
import Testing

/// Many operations at the same time on the threads of the machine, mainly for the thread sanitizer.
@Suite struct ContendedTests {
  private static let rounds = 300

  @Test func `every handler is called while threads add handlers, settle and cancel`() async {
    for round in 1...Self.rounds {
      let (promise, resolver) = Promise<Int, any Error>.withResolvers(on: .inline)
      let notified = Locked(0)
      await withTaskGroup(of: Void.self) { group in
        for worker in 0..<4 {
          group.addTask {
            for number in 0..<8 {
              let next = promise.map { $0 + 1 }.then { .fulfilled($0, on: .inline) }
              next.whenComplete { _ in notified.withLock { $0 += 1 } }
              if (number + worker) % 3 == 0 { next.cancel() }
            }
          }
        }
        group.addTask { resolver.fulfill(round) }
      }
      _ = await promise.result
      #expect(notified.withLock { $0 } == 32)
    }
  }

  @Test func `promises that adopt each other at the same time are all settled`() async {
    for _ in 1...Self.rounds {
      let pairs = (0..<4).map { _ in Promise<Int, any Error>.withResolvers(on: .inline) }
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<4 {
          group.addTask { pairs[index].resolver.resolve(with: pairs[(index + 1) % 4].promise) }
        }
        group.addTask { _ = pairs[2].promise.map { $0 + 1 } }
      }
      for (promise, _) in pairs { #expect(promise.current != nil) }
    }
  }

  @Test func `chains that are adopted while they are cancelled end`() async {
    for round in 1...Self.rounds {
      let (first, resolveFirst) = Promise<Int, any Error>.withResolvers(on: .inline)
      let (second, resolveSecond) = Promise<Int, any Error>.withResolvers(on: .inline)
      let (last, resolveLast) = Promise<Int, any Error>.withResolvers(
        on: .inline, whenUnused: .cancel)
      let inner = second.then { _ in last }
      let outer = first.then { _ in inner }
      let notified = Locked(0)
      outer.whenComplete { _ in notified.withLock { $0 += 1 } }
      await withTaskGroup(of: Void.self) { group in
        group.addTask { resolveFirst.fulfill(1) }
        group.addTask { resolveSecond.fulfill(2) }
        group.addTask { inner.whenComplete { _ in notified.withLock { $0 += 1 } } }
        group.addTask { if round % 2 == 0 { outer.cancel() } else { inner.cancel() } }
        group.addTask { resolveLast.tryResolve(.success(3)) }
      }
      _ = await inner.result
      _ = await outer.result
      #expect(notified.withLock { $0 } == 2)
    }
  }

  @Test func `many promises hop to one scheduler in order`() async {
    let queue = LiveRuntime.shared.serial("queue")
    let order = Locked<[Int]>([])
    let (promise, resolver) = Promise<Int, any Error>.withResolvers(on: .scheduler(queue))
    var ends: [Promise<Void, Never>] = []
    for number in 0..<200 {
      ends.append(promise.whenComplete { _ in order.withLock { $0.append(number) } })
      if number == 100 { LiveRuntime.shared.pool.schedule { resolver.fulfill(1) } }
    }
    for end in ends { await end.value }
    #expect(order.withLock { $0 } == Array(0..<200))
  }

  @Test func `awaiting and cancelling race`() async {
    for _ in 1...Self.rounds {
      let (promise, resolver) = Promise<Int, any Error>.withResolvers(
        on: .inline, whenUnused: .cancel)
      let task = Task { try await promise.value }
      LiveRuntime.shared.pool.schedule { resolver.tryResolve(.success(1)) }
      task.cancel()
      let result = await task.result
      switch result {
      case .success(let value): #expect(value == 1)
      case .failure(let error): #expect(error is CancellationError)
      }
    }
  }
}
