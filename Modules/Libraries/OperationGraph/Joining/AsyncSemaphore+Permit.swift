internal import AsyncRuntime
internal import Synchronization

extension AsyncSemaphore {
  /// Calls `work` with a permit as soon as one is available. Use it with completion handlers.
  ///
  /// ```swift
  /// downloads.whenPermitted { permit in
  ///   load(url) { page in
  ///     keep(page)
  ///     permit.giveBack()
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - priority: a higher priority goes first. Unless given, it is that of the calling task or thread.
  ///   - placement: where `work` runs. With `.inline` it runs on the lane that gives the permit back, or on the calling
  ///     lane if a permit is free.
  ///   - work: called once, unless the request is cancelled before.
  /// - Returns: the request, which can be cancelled.
  @discardableResult
  public func whenPermitted(
    priority: TaskPriority? = nil, on placement: Placement = .pool,
    _ work: @escaping @Sendable (Permit) -> Void
  ) -> Request {
    let storage = storage
    let runtime = storage.runtime
    let run: @Sendable (Permit) -> Void = { permit in
      placement.run(on: runtime) { work(permit) }
    }
    // A waiter must not keep its semaphore alive. Otherwise the release of the semaphore could never be detected.
    let place = storage.wait(priority: priority ?? Task.currentPriority) { [weak storage] verdict in
      if verdict == .continues, let storage { run(Permit(of: storage)) }
    }
    guard let place else {
      run(Permit(of: storage))
      return Request(nil)
    }
    return Request { [weak storage] in storage?.giveUp(place) }
  }

  /// A permit that was taken. The first `giveBack()` returns it to the semaphore, and so does releasing the object.
  ///
  /// A second call is reported as `unbalanced-leave`, and has no effect. The caller need not keep a reference to the
  /// semaphore.
  public final class Permit: Sendable {
    private let storage: AsyncSemaphoreStorage
    private let isReturned = Atomic<Bool>(false)

    init(of storage: AsyncSemaphoreStorage) { self.storage = storage }

    deinit {
      guard !isReturned.load(ordering: .acquiring) else { return }
      // A lock may be held where the last reference is released, so give the permit back on another thread.
      let storage = storage
      storage.runtime.pool.schedule { storage.signal() }
    }

    /// Gives the permit back. The next waiter gets it and is notified on the calling thread.
    public func giveBack(file: StaticString = #fileID, line: UInt = #line) {
      guard !isReturned.exchange(true, ordering: .acquiringAndReleasing) else {
        return storage.runtime.misuse(
          "unbalanced-leave",
          "a permit\(storage.label.isEmpty ? "" : " of semaphore “\(storage.label)”") was given back again "
            + "at \(CallSite(file: file, line: line)); the second call was ignored: give it back only once",
          of: LaneContext.current.span)
      }
      storage.signal()
    }
  }

  /// A request for a permit.
  public final class Request: Cancellable, Sendable {
    private let giveUp: Locked<(@Sendable () -> Void)?>

    init(_ giveUp: (@Sendable () -> Void)?) { self.giveUp = Locked(giveUp) }

    /// Cancels the request if it has no permit yet. It then never gets one.
    public func cancel() {
      let giveUp = giveUp.withLock { $0.take() }
      giveUp?()
    }
  }
}
