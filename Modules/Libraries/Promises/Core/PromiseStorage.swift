import AsyncRuntime

/// The part of a promise that depends on its types: its result, which is stored in the node's payload.
@usableFromInline
class PromiseStorage<Success: Sendable, Failure: Error>: PromiseNode, @unchecked Sendable {
  // Safe to share: the result is written once, by the code that has sealed the node, and is read only after it is
  // settled.

  @inlinable
  override init(_ context: ContextReference, _ site: Site, flags: UInt = 0) {
    super.init(context, site, flags: flags)
  }

  @inlinable
  override init(
    of source: PromiseNode, _ context: ContextReference, _ wants: Wants, _ site: Site
  ) {
    super.init(of: source, context, wants, site)
  }

  /// Creates a settled promise.
  @inlinable
  init(
    _ result: Result<Success, Failure>, _ context: ContextReference, _ site: Site, flags: UInt = 0
  ) {
    super.init(context, site, flags: Self.settledFlags(result) | flags)
    write(result)
  }

  /// Settles the promise, unless it is already settled.
  @inlinable
  @discardableResult
  final func settle(_ result: Result<Success, Failure>) -> Bool {
    guard seal() else { return false }
    publish(failed: write(result))
    return true
  }

  /// Settles the promise. Only for the code that has sealed the node.
  @inlinable
  final func conclude(_ result: Result<Success, Failure>) { publish(failed: write(result)) }

  /// - Returns: whether the result is a failure.
  @inlinable
  @discardableResult
  final func write(_ result: Result<Success, Failure>) -> Bool {
    switch result {
    case .success(let value):
      write(value: value)
      return false
    case .failure(let error):
      write(error: error)
      return true
    }
  }

  @inlinable
  final func write(value: Success) {
    holdsOutcome = !Payload.isTrivial(Success.self)
    outcome.store(value)
  }

  @inlinable
  final func write(error: Failure) {
    holdsOutcome = true
    outcome.store(error)
    noteFailure(error)
  }

  /// The value. Only for a fulfilled promise.
  @inlinable
  final var fulfilledValue: Success { outcome.load(Success.self) }

  /// The result. Only for a settled promise.
  @inlinable
  final var settledResult: Result<Success, Failure> {
    hasFailed
      ? .failure(outcome.load(Failure.self))
      : .success(outcome.load(Success.self))
  }

  /// The result, or nil if the promise is not settled yet.
  final var currentResult: Result<Success, Failure>? {
    let root = root()
    guard root.isSettled else { return nil }
    return unsafeDowncast(root, to: PromiseStorage.self).settledResult
  }

  @usableFromInline
  override func destroyResult() {
    if hasFailed {
      outcome.destroy(Failure.self)
    } else {
      outcome.destroy(Success.self)
    }
  }

  override func take(from source: PromiseNode) {
    if isRecorded {
      recordTaking(from: source) { takeUnrecorded(from: source) }
    } else {
      takeUnrecorded(from: source)
    }
  }

  private func takeUnrecorded(from source: PromiseNode) {
    takeSource()
    guard seal() else { return }
    let hasFailed = source.hasFailed
    // Not as a `Result`: this code is not specialized, and looking up that type costs more than the rest.
    if hasFailed {
      inheritFailure(from: source)
      write(error: source.error(Failure.self))
    } else {
      write(value: unsafeDowncast(source, to: PromiseStorage.self).fulfilledValue)
    }
    publish(failed: hasFailed)
  }

  override var anyError: (any Error)? { outcome.load(Failure.self) }

  override func finishAsCancelled() {
    if !finish(with: CancellationError()) { abandon() }
  }

  override func finish(with cycle: PromiseCycle) -> Bool { finish(with: cycle as any Error) }

  override func finish(with dropped: ResolverDropped) -> Bool {
    finish(with: dropped as any Error)
  }

  private func finish(with error: any Error) -> Bool {
    guard let failure = error as? Failure else { return false }
    publish(failed: write(.failure(failure)))
    return true
  }

  @inlinable
  static func settledFlags(_ result: Result<Success, Failure>) -> UInt {
    let flags = Flag.settled | Flag.sealed | Flag.claimed
    if case .failure = result { return flags | Flag.failed }
    return flags
  }
}
