public import AsyncRuntime

extension Promise {
  /// A promise for the result of `attempt`, which is called again if its promise fails. It is called at most `count`
  /// times in total; after that, the new promise fails with the last error.
  ///
  /// The first attempt starts immediately, on the calling thread. Further attempts start where the handlers of the
  /// chain run. A cancellation is not a failure: no attempt follows it. When the new promise is cancelled, the promise
  /// of the current attempt loses a handler, and a pending timer is released.
  ///
  /// ```swift
  /// Promise.retry(5, backoff: .exponential(.milliseconds(100)), while: isBusy) { _ in
  ///   request(url)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - count: the largest number of attempts; a count below one counts as one.
  ///   - backoff: the delay between attempts; by default there is none.
  ///   - generator: the source of the jitter. If nil, the promise has its own generator. On a virtual clock the same
  ///     step then always gets the same jitter.
  ///   - placement: where the handlers of the new chain run, including `condition` and `attempt`.
  ///   - cancellation: cancels the promise.
  ///   - whenUnused: what happens to the promise when its last handler is cancelled.
  ///   - condition: decides which errors allow another attempt.
  ///   - attempt: gets its number, starting with 1.
  public static func retry(
    _ count: Int, backoff: Backoff = Backoff(),
    using generator: (any RandomNumberGenerator & Sendable)? = nil,
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    cancellation: Cancellation? = nil, whenUnused: UnusedPolicy = .keep,
    file: StaticString = #fileID, line: UInt = #line,
    while condition: @escaping @Sendable (Failure) -> Bool = { _ in true },
    _ attempt: @escaping @Sendable (Int) throws(Failure) -> Promise
  ) -> Promise {
    let context = PromiseContext.make(placement, runtime, cancellation: cancellation)
    let result = FollowedStorage<Success, Failure>(
      context, Site(file, line), cancelsUnused: whenUnused == .cancel)
    let retrying = Retrying(
      max(count, 1), backoff, generator ?? SplitMix(for: context.runtime), result,
      condition, attempt)
    result.follow(retrying)
    result.watchCancellation()
    result.beginChain(waitingFor: "an attempt") { retrying.start(1) }
    return Promise(result)
  }
}

/// Runs attempts one after another. Each one is released when the next one starts, so memory does not grow with their
/// number.
private final class Retrying<Success: Sendable, Failure: Error>: Follower, @unchecked Sendable {
  // Safe to share: the properties are constant or locked, except the generator. Only one call at a time uses the
  // generator, because each attempt follows the previous one.
  private let count: Int
  private let backoff: Backoff
  private var generator: any RandomNumberGenerator & Sendable
  private let result: FollowedStorage<Success, Failure>
  private let condition: @Sendable (Failure) -> Bool
  private let attempt: @Sendable (Int) throws(Failure) -> Promise<Success, Failure>
  private let state = Locked(State())

  private struct State {
    /// The link or timer for which the object waits; nil while it runs code itself.
    var wait: Wait?
    /// The number of the last wait that has ended.
    var ended = 0
    var isFinished = false
  }

  private enum Wait {
    case link(FollowerLink)
    case timer(any Cancellable)

    func cancel() {
      switch self {
      case .link(let link): link.stop()
      case .timer(let timer): timer.cancel()
      }
    }
  }

  init(
    _ count: Int, _ backoff: Backoff, _ generator: any RandomNumberGenerator & Sendable,
    _ result: FollowedStorage<Success, Failure>,
    _ condition: @escaping @Sendable (Failure) -> Bool,
    _ attempt: @escaping @Sendable (Int) throws(Failure) -> Promise<Success, Failure>
  ) {
    self.count = count
    self.backoff = backoff
    self.generator = generator
    self.result = result
    self.condition = condition
    self.attempt = attempt
  }

  deinit {
    // The promise for which this object waited will never be settled.
    if result.seal() { result.abandon() }
  }

  func start(_ number: Int) {
    guard !result.isSealed else { return }
    let promise: Promise<Success, Failure>
    do throws(Failure) {
      promise = try attempt(number)
    } catch {
      return failed(number, error, after: nil)
    }
    let link = FollowerLink(of: promise.storage, by: self, number, in: result.context.unbound)
    promise.storage.add(link)
    begin(.link(link), 2 * number)
  }

  override func sourceSettled(at number: Int, _ source: PromiseNode) {
    end(2 * number)
    switch unsafeDowncast(source, to: PromiseStorage<Success, Failure>.self).settledResult {
    case .success(let value): result.settle(.success(value))
    case .failure(let error):
      if number >= count || error is CancellationError {
        _ = result.settle(.failure(error), because: source)
      } else {
        // The caller's `condition` decides about another attempt, and must run where the handlers of the chain run.
        result.context.perform { self.failed(number, error, after: source) }
      }
    }
  }

  /// - Parameter source: the attempt's promise; nil if the attempt threw an error instead of making one.
  private func failed(_ number: Int, _ error: Failure, after source: PromiseNode?) {
    if result.isSealed {
      source?.handleFailure()
      return
    }
    guard number < count, !(error is CancellationError), condition(error) else {
      _ = result.settle(.failure(error), because: source)
      return
    }
    source?.handleFailure()
    let delay = backoff.delay(before: number + 1, using: &generator)
    guard delay > .zero else { return result.context.perform { self.start(number + 1) } }
    let timer = result.context.schedule(after: delay) {
      self.end(2 * number + 1)
      self.start(number + 1)
    }
    begin(.timer(timer), 2 * number + 1)
  }

  /// Stores the wait, unless it has already ended on another thread.
  private func begin(_ wait: Wait, _ number: Int) {
    let isLate = state.withLock { state in
      if !state.isFinished, number > state.ended { state.wait = wait }
      return state.isFinished
    }
    if isLate { wait.cancel() }
  }

  private func end(_ number: Int) {
    let wait = state.withLock { state in
      state.ended = number
      return state.wait.take()
    }
    withExtendedLifetime(wait) {}
  }

  override func cancelSources() {
    let wait = state.withLock { state in
      state.isFinished = true
      return state.wait.take()
    }
    wait?.cancel()
  }
}
