import AsyncPatterns
import AsyncSimulation
import Synchronization
import Testing

@testable import Promises

/// Cycles of promises that have not been detected yet. Threads that close a cycle together leave such a state for a
/// moment; here it lasts.
@Suite struct CycleSearchTests {
  private let recording = Recording()
  private let runtime: SimulatedRuntime

  private typealias Pair = (
    promise: Promise<Int, any Error>, resolver: Promise<Int, any Error>.Resolver
  )

  init() { runtime = SimulatedRuntime(trace: recording) }

  private func pair() -> Pair { Promise.withResolvers(on: .inline, runtime: runtime) }

  /// Promises of which each waits for the next, and the last one for the first.
  private func cycle(of length: Int) -> [Pair] {
    let pairs = (0..<length).map { _ in pair() }
    for index in pairs.indices {
      let node = pairs[index].promise.storage
      let next = pairs[(index + 1) % length].promise.storage
      // `adopt` does the same before it looks for a cycle.
      #expect(node.claim())
      next.countDependent()
      node.setSource(next)
      _ = node.state.bitwiseOr(Flag.adopter, ordering: .acquiringAndReleasing)
      next.add(node, counts: false)
    }
    return pairs
  }

  private func isRejected(_ promise: Promise<Int, any Error>) -> Bool {
    if case .failure(is PromiseCycle)? = promise.current { true } else { false }
  }

  /// A search that ends only when it meets its own start would never return.
  @Test(.timeLimit(.minutes(1)), arguments: [1, 2, 3, 4, 7, 100], [0, 1, 2, 9, 100])
  func `waiting for a cycle of promises ends the cycle`(
    _ length: Int, _ distance: Int
  ) {
    let cycle = cycle(of: length)
    var last = cycle[length / 2].promise
    for _ in 0..<distance {
      // No other promise waits for `next` yet, so `next` has no reason to search for a cycle.
      let (next, resolver) = pair()
      resolver.resolve(with: last)
      last = next
    }
    #expect(last.current == nil)
    let (promise, resolver) = pair()
    let notified = Locked(0)
    promise.whenComplete { _ in notified.withLock { $0 += 1 } }
    resolver.resolve(with: last)
    #expect(isRejected(promise) && notified.withLock { $0 } == 1)
    #expect(cycle.allSatisfy { isRejected($0.promise) })
    #expect(recording.misuse == [])
  }

  @Test(.timeLimit(.minutes(1)), arguments: [1, 2, 5])
  func `forwarding dependents to a cycle of promises ends the cycle`(_ length: Int) {
    let cycle = cycle(of: length)
    let (promise, resolver) = pair()
    let (adopter, resolveAdopter) = pair()
    resolveAdopter.resolve(with: promise)
    resolver.resolve(with: cycle[0].promise)
    #expect(isRejected(promise) && isRejected(adopter))
    #expect(cycle.allSatisfy { isRejected($0.promise) })
    #expect(recording.misuse == [])
  }
}
