internal import AsyncRuntime
internal import Synchronization

extension AsyncSemaphore {
  /// Calls `work` with a permit as soon as there is one: for completion handlers.
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
  ///   - priority: goes before lower ones; that of the calling task or thread unless given.
  ///   - placement: where `work` runs; `.inline` is on the lane that gives the permit back, or on the calling
  ///     one if it is free.
  ///   - work: called once, unless the request is cancelled before.
  /// - Returns: what calls it off.
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
    // Who waits must not keep the semaphore alive that it waits for: then nobody could ever tell.
    let place = storage.wait(priority: priority ?? Task.currentPriority) { [weak storage] verdict in
      if verdict == .goesOn, let storage { run(Permit(of: storage)) }
    }
    guard let place else {
      run(Permit(of: storage))
      return Request(nil)
    }
    return Request { [weak storage] in storage?.giveUp(place) }
  }

  /// A permit that somebody has. It goes back with the first `giveBack()`, or when it is let go of.
  ///
  /// A second call is reported as `unbalanced-leave`, and has no effect. The semaphore need not be held.
  public final class Permit: Sendable {
    private let storage: AsyncSemaphoreStorage
    private let isOver = Atomic<Bool>(false)

    init(of storage: AsyncSemaphoreStorage) { self.storage = storage }

    deinit {
      guard !isOver.load(ordering: .acquiring) else { return }
      // Somebody's lock may be held where the last reference goes: give it back from elsewhere.
      let storage = storage
      storage.runtime.pool.schedule { storage.signal() }
    }

    /// Gives it back: whoever comes first has it next, and is told on the calling thread.
    public func giveBack(file: StaticString = #fileID, line: UInt = #line) {
      guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else {
        return storage.runtime.misuse(
          "unbalanced-leave",
          "a permit\(storage.label.isEmpty ? "" : " of semaphore “\(storage.label)”") was given back again "
            + "at \(SourceSite(file: file, line: line)); the second call was ignored",
          of: LaneContext.current.span)
      }
      storage.signal()
    }
  }

  /// Somebody's wait for a permit.
  public final class Request: Cancellable, Sendable {
    private let giveUp: Locked<(@Sendable () -> Void)?>

    init(_ giveUp: (@Sendable () -> Void)?) { self.giveUp = Locked(giveUp) }

    /// Gives up, if there has been no permit yet: it never gets one then.
    public func cancel() {
      let giveUp = giveUp.withLock { $0.take() }
      giveUp?()
    }
  }
}
