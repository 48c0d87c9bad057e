import AsyncPatterns
import AsyncSimulation
import Synchronization
import Testing

@testable import Promises

/// Promises that wait for themselves while nobody has found that yet, as threads that close a cycle
/// together leave them for a moment: here that moment lasts.
@Suite struct CycleSearchTests {
  private let recording = Recording()
  private let runtime: SimulatedRuntime

  private typealias Pair = (
    promise: Promise<Int, any Error>, resolver: Promise<Int, any Error>.Resolver
  )

  init() { runtime = SimulatedRuntime(trace: recording) }

  private func pair() -> Pair { Promise.withResolvers(on: .inline, runtime: runtime) }

  /// Each waits for the next, and the last for the first.
  private func cycle(of length: Int) -> [Pair] {
    let pairs = (0..<length).map { _ in pair() }
    for index in pairs.indices {
      let node = pairs[index].promise.storage
      let next = pairs[(index + 1) % length].promise.storage
      // What `adopt` does before it looks for a cycle.
      #expect(node.claim())
      next.countListener()
      node.setSource(next)
      _ = node.state.bitwiseOr(Flag.adopter, ordering: .acquiringAndReleasing)
      next.add(node, counts: false)
    }
    return pairs
  }

  private func isRejected(_ promise: Promise<Int, any Error>) -> Bool {
    if case .failure(is PromiseCycle)? = promise.current { true } else { false }
  }

  /// Whoever goes around until it meets itself never comes back.
  @Test(.timeLimit(.minutes(1)), arguments: [1, 2, 3, 4, 7, 100], [0, 1, 2, 9, 100])
  func `who comes to wait for promises that wait for themselves ends that`(
    _ length: Int, _ distance: Int
  ) {
    let cycle = cycle(of: length)
    var last = cycle[length / 2].promise
    for _ in 0..<distance {
      // Nobody waits for it yet, so that it has no reason to look.
      let (next, resolver) = pair()
      resolver.resolve(with: last)
      last = next
    }
    #expect(last.current == nil)
    let (promise, resolver) = pair()
    let told = Locked(0)
    promise.whenComplete { _ in told.withLock { $0 += 1 } }
    resolver.resolve(with: last)
    #expect(isRejected(promise) && told.withLock { $0 } == 1)
    #expect(cycle.allSatisfy { isRejected($0.promise) })
    #expect(recording.misuse == [])
  }

  @Test(.timeLimit(.minutes(1)), arguments: [1, 2, 5])
  func `who hands on those who wait for it to such promises ends that, too`(_ length: Int) {
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
