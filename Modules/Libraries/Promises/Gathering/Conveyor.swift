import AsyncRuntime
import Synchronization

/// Makes promises of the elements of a sequence, a few at a time, and one promise of those.
///
/// The sequence is asked for an element when there is a place for it, so that it may make its elements then,
/// and have no end that is ever reached. Whoever frees a place while nobody asks goes on asking, from a loop:
/// elements without number that are done at once need no stack.
final class Conveyor<Source: Sequence, Product: Sendable, Output: Sendable, Failure: Error>:
  Follower, @unchecked Sendable
{
  // Safe to share: the sequence belongs to the one who raised `places` from zero, until it has brought that
  // back; the rest is atomic or locked.
  private let result: FollowedStorage<Output, Failure>
  private var iterator: Source.Iterator
  private var count = 0
  private let produce: @Sendable (Source.Element) throws(Failure) -> Promise<Product, Failure>
  private let finish: @Sendable ([Product]) -> Output
  /// How many more may be under way.
  private let places: Atomic<Int>
  /// How many are under way; the sequence counts as one until it has ended.
  private let pending = Atomic(1)
  private let state = Locked(State())

  private struct State {
    var products: [Product?] = []
    var links: [Int: FollowerLink] = [:]
    var isOver = false
  }

  private init(
    _ source: Source, limit: Int, _ result: FollowedStorage<Output, Failure>,
    _ produce: @escaping @Sendable (Source.Element) throws(Failure) -> Promise<Product, Failure>,
    _ finish: @escaping @Sendable ([Product]) -> Output
  ) {
    iterator = source.makeIterator()
    places = Atomic(min(max(limit, 1), Int.max / 2))
    self.result = result
    self.produce = produce
    self.finish = finish
  }

  deinit {
    // What it waited for will not come.
    if result.seal() { result.letGo() }
  }

  /// - Parameters:
  ///   - limit: how many at once; below one counts as one.
  ///   - context: where `produce` runs, and the handlers of the new promise.
  static func promise(
    of source: Source, limit: Int, in context: PromiseContext, _ unused: UnusedPromise,
    _ site: Site,
    _ produce: @escaping @Sendable (Source.Element) throws(Failure) -> Promise<Product, Failure>,
    finish: @escaping @Sendable ([Product]) -> Output
  ) -> Promise<Output, Failure> {
    let result = FollowedStorage<Output, Failure>(
      context, site, cancelsUnused: unused == .isCancelled)
    let conveyor = Conveyor(source, limit: limit, result, produce, finish)
    result.follow(conveyor)
    result.watchCancellation()
    result.beginChain(waitingFor: "other promises") {
      conveyor.resumeThere(result.context)
    }
    return Promise(result)
  }

  /// Takes elements as long as there are places.
  override func resume() {
    repeat {
      // Where it is over, the places stay above zero, so that nobody comes here any more.
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
    if source.isSettled { return told(of: index, source) }
    let link = FollowerLink(of: promise.storage, by: self, index, in: result.context.unbound)
    promise.storage.add(link)
    let isOver = state.withLock { state in
      if !state.isOver, state.products[index] == nil { state.links[index] = link }
      return state.isOver
    }
    if isOver { link.stop() }
  }

  override func told(of index: Int, _ source: PromiseNode) {
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

  /// One has ended, or the sequence has.
  private func ended() {
    guard pending.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 else { return }
    let products = state.withLock { $0.products }
    guard !result.isSealed else { return }
    result.settle(.success(finish(products.compactMap(\.self))))
  }

  private func fail(_ error: Failure, after source: PromiseNode?) {
    if result.settle(.failure(error), because: source) { letGoSoon() }
  }

  override func letGo() {
    let links = state.withLock { state in
      state.isOver = true
      defer { state.links = [:] }
      return state.links
    }
    for (_, link) in links.sorted(by: { $0.key < $1.key }) { link.stop() }
  }
}
