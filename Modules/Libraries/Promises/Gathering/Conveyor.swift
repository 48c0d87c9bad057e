import AsyncRuntime
import Synchronization

/// Makes promises from the elements of a sequence, a few at a time, and combines them into one promise.
///
/// The sequence is asked for an element only when a place is free. So it can compute its elements lazily, and it can be
/// endless. The iteration is a loop, and a completion resumes it only if no place was free before. So the stack does
/// not grow, however many promises are settled immediately.
final class Conveyor<Source: Sequence, Product: Sendable, Output: Sendable, Failure: Error>:
  Follower, @unchecked Sendable
{
  // Safe to share: only the code that raised `places` from zero uses the iterator, until it has brought `places` back
  // to zero. The rest is atomic or locked.
  private let result: FollowedStorage<Output, Failure>
  private var iterator: Source.Iterator
  private var count = 0
  private let produce: @Sendable (Source.Element) throws(Failure) -> Promise<Product, Failure>
  private let finish: @Sendable ([Product]) -> Output
  /// The number of promises that can still be started now.
  private let places: Atomic<Int>
  /// The number of pending promises, plus one until the sequence has ended.
  private let pending = Atomic(1)
  private let state = Locked(State())

  private struct State {
    var products: [Product?] = []
    var links: [Int: FollowerLink] = [:]
    var isFinished = false
  }

  private init(
    _ source: Source, width: Int, _ result: FollowedStorage<Output, Failure>,
    _ produce: @escaping @Sendable (Source.Element) throws(Failure) -> Promise<Product, Failure>,
    _ finish: @escaping @Sendable ([Product]) -> Output
  ) {
    iterator = source.makeIterator()
    places = Atomic(min(max(width, 1), Int.max / 2))
    self.result = result
    self.produce = produce
    self.finish = finish
  }

  deinit {
    // The promises for which the conveyor waited will never be settled.
    if result.seal() { result.abandon() }
  }

  /// - Parameters:
  ///   - width: the largest number of pending promises; a width below one counts as one.
  ///   - context: where `produce` and the handlers of the new promise run.
  static func promise(
    of source: Source, width: Int, in context: PromiseContext, _ whenUnused: UnusedPolicy,
    _ site: Site,
    _ produce: @escaping @Sendable (Source.Element) throws(Failure) -> Promise<Product, Failure>,
    finish: @escaping @Sendable ([Product]) -> Output
  ) -> Promise<Output, Failure> {
    let result = FollowedStorage<Output, Failure>(
      context, site, cancelsUnused: whenUnused == .cancel)
    let conveyor = Conveyor(source, width: width, result, produce, finish)
    result.follow(conveyor)
    result.watchCancellation()
    result.beginChain(waitingFor: "other promises") {
      conveyor.resumeThere(result.context)
    }
    return Promise(result)
  }

  /// Takes elements as long as places are free.
  override func resume() {
    repeat {
      // The result is decided. The number of places stays above zero, so no later completion
      // resumes the iteration.
      if result.isSealed { return }
      guard let element = iterator.next() else { return ended() }
      start(element)
    } while places.subtract(1, ordering: .acquiringAndReleasing).newValue > 0
  }

  private func start(_ element: Source.Element) {
    let index = count
    count += 1
    pending.add(1, ordering: .relaxed)
    state.withLock { $0.products.append(nil) }
    let promise: Promise<Product, Failure>
    do throws(Failure) {
      promise = try produce(element)
    } catch {
      return fail(error, after: nil)
    }
    let source = promise.storage.root()
    if source.isSettled { return sourceSettled(at: index, source) }
    let link = FollowerLink(of: promise.storage, by: self, index, in: result.context.unbound)
    promise.storage.add(link)
    let isFinished = state.withLock { state in
      if !state.isFinished, state.products[index] == nil { state.links[index] = link }
      return state.isFinished
    }
    if isFinished { link.stop() }
  }

  override func sourceSettled(at index: Int, _ source: PromiseNode) {
    switch unsafeDowncast(source, to: PromiseStorage<Product, Failure>.self).settledResult {
    case .failure(let error): fail(error, after: source)
    case .success(let product):
      let link = state.withLock { state in
        state.products[index] = product
        return state.links.removeValue(forKey: index)
      }
      withExtendedLifetime(link) {}
      ended()
      if places.add(1, ordering: .acquiringAndReleasing).oldValue == 0 {
        resumeThere(result.context)
      }
    }
  }

  /// Called when a promise is fulfilled, and when the sequence has ended.
  private func ended() {
    guard pending.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
    let products = state.withLock { $0.products }
    guard !result.isSealed else { return }
    result.settle(.success(finish(products.compactMap(\.self))))
  }

  private func fail(_ error: Failure, after source: PromiseNode?) {
    if result.settle(.failure(error), because: source) { cancelSourcesSoon() }
  }

  override func cancelSources() {
    let links = state.withLock { state in
      state.isFinished = true
      defer { state.links = [:] }
      return state.links
    }
    for (_, link) in links.sorted(by: { $0.key < $1.key }) { link.stop() }
  }
}
