import AsyncPatterns

/// The part of a promise that has a type: its result.
@usableFromInline
class PromiseStorage<Success: Sendable, Failure: Error>: PromiseNode, @unchecked Sendable {
  // Safe to share: written once, by who has sealed the node, and read once it is settled.
  @usableFromInline final var storedResult: Result<Success, Failure>?

  @usableFromInline
  override init(_ context: PromiseContext, _ site: Site, flags: UInt = 0) {
    super.init(context, site, flags: flags)
  }

  @usableFromInline
  override init(
    of source: PromiseNode, _ context: PromiseContext, at target: PromiseContext?, _ wants: Wants,
    _ site: Site, _ step: @escaping @Sendable (PromiseNode, PromiseNode) -> Void
  ) {
    super.init(of: source, context, at: target, wants, site, step)
  }

  /// One that is settled.
  init(_ result: Result<Success, Failure>, _ context: PromiseContext, _ site: Site) {
    storedResult = result
    super.init(context, site, flags: Flag.settled(result))
  }

  /// Settles it, unless it is settled.
  @inlinable
  @discardableResult
  final func settle(_ result: Result<Success, Failure>) -> Bool {
    guard seal() else { return false }
    storedResult = result
    if case .failure = result { publish(failed: true) } else { publish(failed: false) }
    return true
  }

  /// What came of it, which is settled.
  @inlinable
  final var settledResult: Result<Success, Failure> {
    guard let storedResult else { preconditionFailure("a promise is read before it is settled") }
    return storedResult
  }

  /// What came of it so far.
  final var currentResult: Result<Success, Failure>? {
    guard let root = root() as? PromiseStorage, root.isSettled else { return nil }
    return root.storedResult
  }

  override func take(from source: PromiseNode) {
    takeSource()
    settle(unsafeDowncast(source, to: PromiseStorage.self).settledResult)
  }

  override func finishAsCancelled() {
    finish(with: CancellationError())
  }

  override func finish(with cycle: PromiseCycle) -> Bool {
    guard let failure = cycle as? Failure else { return false }
    storedResult = .failure(failure)
    publish(failed: true)
    return true
  }

  private func finish(with error: CancellationError) {
    guard let failure = error as? Failure else { return letGo() }
    storedResult = .failure(failure)
    publish(failed: true)
  }

  /// The resolver is gone: settles it with that, or lets it go.
  func abandon(with error: ResolverDropped) {
    guard seal() else { return }
    guard let failure = error as? Failure else { return letGo() }
    storedResult = .failure(failure)
    publish(failed: true)
  }
}

extension Flag {
  /// The word of one that is settled from the start.
  static func settled(_ result: Result<some Any, some Error>) -> UInt {
    if case .failure = result {
      settled | sealed | claimed | failed
    } else {
      settled | sealed | claimed
    }
  }
}
