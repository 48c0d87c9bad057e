import Foundation
import PatternTesting
import Promises
import Synchronization
import Testing

/// Many gatherings at the same time on the threads of the machine, mainly for the thread sanitizer.
@Suite struct ContendedGatheringTests {
  typealias Source = Promise<Int, any Error>

  @Test func `concurrent settling, gathering and cancelling call each handler once and leave none`()
    async
  {
    for round in 0..<200 {
      let pairs = (0..<4).map { _ in Source.withResolvers(on: .inline, whenUnused: .cancel) }
      let promises = pairs.map(\.promise)
      let notified = Locked(0)
      await withTaskGroup(of: Void.self) { group in
        for (index, pair) in pairs.enumerated() {
          group.addTask {
            if index == 3, round.isMultiple(of: 2) {
              pair.resolver.tryResolve(.failure(CancellationError()))
            } else {
              pair.resolver.tryResolve(.success(index))
            }
          }
        }
        for operation in 0..<5 {
          group.addTask {
            let gathered: Promise<Void, any Error> =
              switch operation {
              case 0: Source.race(promises).done { _ in }
              case 1: Promise<[Int], any Error>.all(promises).done { _ in }
              case 2: Promise<[Int], any Error>.join(promises).done { _ in }
              case 3: Promise<[Int], any Error>.all(promises, width: 2, on: .inline).done { _ in }
              default: Source.race(promises).timeout(.seconds(60)).done { _ in }
              }
            gathered.whenComplete { _ in notified.withLock { $0 += 1 } }
            if (round + operation).isMultiple(of: 3) { gathered.cancel() }
            _ = await gathered.result
          }
        }
      }
      #expect(notified.withLock { $0 } == 5)
      for promise in promises { #expect(promise.current != nil) }
    }
  }

  @Test func `attempts that end on other threads during a cancellation`() async {
    for round in 0..<200 {
      let promise = Source.retry(
        4, backoff: .constant(.microseconds(round % 3 * 10)), on: .pool,
        { _ in
          Source(on: .pool) { () async throws -> Int in throw Busy() }
        })
      if round.isMultiple(of: 2) { promise.cancel() }
      let result = await promise.result
      guard case .failure(let error) = result else {
        Issue.record("it cannot have a value")
        continue
      }
      #expect(error is Busy || error is CancellationError)
    }
  }

  /// The last source to settle need not be the deciding one, and may be handled before it.
  @Test func `the deciding source and the last source settle at the same time`() {
    let rounds = 5_000
    let long = String(repeating: "long enough to be held by reference ", count: 3)
    typealias Text = Promise<String, Busy>
    let pairs = (0..<rounds).map { _ in (0..<2).map { _ in Text.withResolvers(on: .inline) } }
    let all = pairs.map { Promise.all($0.map(\.promise)) }
    let ofTypes = pairs.map { pair -> Promise<(String, String), Busy> in
      Promise.all(pair[0].promise, pair[1].promise)
    }
    let any = pairs.map { Promise.any($0.map(\.promise)) }
    let turns = Atomic(0)
    onThreads(2) { number in
      for (round, pair) in pairs.enumerated() {
        // Both threads start each round together.
        turns.add(1, ordering: .acquiringAndReleasing)
        var looks = 0
        while turns.load(ordering: .acquiring) < 2 * round + 2 {
          looks += 1
          // The other thread may have no core.
          if looks > 1_000 { sched_yield() }
        }
        pair[number].resolver.resolve(number == 0 ? .failure(Busy()) : .success(long))
      }
    }
    #expect(all.allSatisfy { $0.rejectedError != nil })
    #expect(ofTypes.allSatisfy { $0.rejectedError != nil })
    #expect(any.allSatisfy { $0.fulfilled == long })
    #expect(all.allSatisfy { $0.failureTrail?.links.count == 2 })
    #expect(ofTypes.allSatisfy { $0.failureTrail?.links.count == 2 })
  }

  private struct Busy: Error {}
}
