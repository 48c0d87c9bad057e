public import AsyncRuntime

extension Promise {
  /// A promise for what `attempt` comes to, which is called again if its promise fails, at most `count` times
  /// altogether; then it fails with the last error.
  ///
  /// The first attempt begins at once, here; the others where the handlers of the chain run. A cancellation
  /// is no failure: after one there is no other try. When the new promise is cancelled, the attempt's has
  /// a listener less, and a timer is released.
  ///
  /// ```swift
  /// Promise.retry(5, backoff: .exponential(.milliseconds(100)), while: isBusy) { _ in
  ///   request(url)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - count: how many starts at most; below one counts as one.
  ///   - backoff: how long to wait in between; not at all unless given.
  ///   - generator: what jitter is drawn from; nil for one of its own, which on a virtual clock is the same for
  ///     the same step.
  ///   - placement: where the handlers of the chain that begins here run, `condition` and `attempt` included.
  ///   - cancellation: cancels the promise.
  ///   - unused: what becomes of it when its last listener is cancelled.
  ///   - condition: which errors are worth another try.
  ///   - attempt: gets its number, from 1.
  public static func retry(
    _ count: Int, backoff: Backoff = Backoff(),
    using generator: (any RandomNumberGenerator & Sendable)? = nil,
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    until cancellation: Cancellation? = nil, unused: UnusedPromise = .goesOn,
    file: StaticString = #fileID, line: UInt = #line,
    while condition: @escaping @Sendable (Failure) -> Bool = { _ in true },
    _ attempt: @escaping @Sendable (Int) throws(Failure) -> Promise
  ) -> Promise {
    let context = PromiseContext.make(placement, runtime, cancellation: cancellation)
    let result = FollowedStorage<Success, Failure>(
      context, Site(file, line), cancelsUnused: unused == .isCancelled)
    let retrying = Retrying(
      max(count, 1), backoff, generator ?? JitterGenerator(for: context.runtime), result,
      condition, attempt)
    result.follow(retrying)
    result.watchCancellation()
    result.beginChain(waitingFor: "an attempt") { retrying.start(1) }
    return Promise(result)
  }
}

/// Attempts, one after another: however many there are, each is let go of when the next begins.
private final class Retrying<Success: Sendable, Failure: Error>: Follower, @unchecked Sendable {
  // Safe to share: constants, what is locked, and the generator, which only what follows the one before
  // draws from.
  private let count: Int
  private let backoff: Backoff
  private var generator: any RandomNumberGenerator & Sendable
  private let result: FollowedStorage<Success, Failure>
  private let condition: @Sendable (Failure) -> Bool
  private let attempt: @Sendable (Int) throws(Failure) -> Promise<Success, Failure>
  private let state = Locked(State())

  private struct State {
    /// What it waits for; nil while it does something itself.
    var wait: Wait?
    /// The number of the last wait that has ended.
    var ended = 0
    var isOver = false
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
    // What it waited for will not come.
    if result.seal() { result.letGo() }
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

  override func told(of number: Int, _ source: PromiseNode) {
    end(2 * number)
    switch unsafeDowncast(source, to: PromiseStorage<Success, Failure>.self).settledResult {
    case .success(let value): result.settle(.success(value))
    case .failure(let error):
      if number >= count || error is CancellationError {
        _ = result.settle(.failure(error), because: source)
      } else {
        // Whether it is worth another try is for the caller's code to say, which has its place.
        result.context.perform { self.failed(number, error, after: source) }
      }
    }
  }

  /// - Parameter source: the attempt's promise; nil if it threw instead of making one.
  private func failed(_ number: Int, _ error: Failure, after source: PromiseNode?) {
    if result.isSealed {
      source?.answerFailure()
      return
    }
    guard number < count, !(error is CancellationError), condition(error) else {
      _ = result.settle(.failure(error), because: source)
      return
    }
    source?.answerFailure()
    let delay = backoff.delay(before: number + 1, using: &generator)
    guard delay > .zero else { return result.context.perform { self.start(number + 1) } }
    let timer = result.context.schedule(after: delay) {
      self.end(2 * number + 1)
      self.start(number + 1)
    }
    begin(.timer(timer), 2 * number + 1)
  }

  /// Keeps what it waits for, which may have ended by now, on another thread.
  private func begin(_ wait: Wait, _ number: Int) {
    let isLate = state.withLock { state in
      if !state.isOver, number > state.ended { state.wait = wait }
      return state.isOver
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

  override func letGo() {
    let wait = state.withLock { state in
      state.isOver = true
      return state.wait.take()
    }
    wait?.cancel()
  }
}
