internal import AsyncRuntime
internal import Synchronization

extension AsyncOperation {
  /// Suspends until the operation has ended.
  ///
  /// - Returns: how the operation ended.
  /// - Throws: `CancellationError` as soon as the calling task is cancelled; the operation keeps
  ///   running. ``AsyncOperationError/selfAwait(_:awaits:)`` if an asynchronous operation calls
  ///   this and would have to end first. This happens if the awaited operation depends on the
  ///   calling one. It also happens if the queue has no place for the awaited operation while the
  ///   calling one runs. Calls from tasks that the calling operation starts itself are not
  ///   detected.
  @discardableResult
  public func waitUntilFinished() async throws -> Outcome {
    guard let caller = Self.caller else { return try await outcomeOnceFinished() }
    // `canEnd` is checked only after the wait is recorded: if several operations would wait for each other, one of them
    // sees it.
    caller.state.withLock { $0.awaited = self }
    defer { caller.state.withLock { $0.awaited = nil } }
    guard canEnd else { throw caller.refusal(of: "“\(name)”") }
    return try await outcomeOnceFinished()
  }

  private func outcomeOnceFinished() async throws -> Outcome {
    let ended = Locked<Outcome?>(nil)
    try await AwaitedResult<Void>.wait { bring in
      onCompletion { outcome in
        ended.withLock { $0 = outcome }
        bring(.success(()))
      }
    }
    return ended.withLock { $0 } ?? .cancelled
  }

  /// The operation that runs in the calling task; nil if there is none.
  static var caller: AsyncOperation? {
    guard let running, let currentTask else { return nil }
    return running.taskIdentity.load(ordering: .relaxed) == currentTask ? running : nil
  }

  /// The error for an operation that awaits something which cannot end before the operation itself.
  func refusal(of awaited: String) -> AsyncOperationError {
    let error = AsyncOperationError.selfAwait(name, awaits: awaited)
    let home = state.withLock { $0.home }
    home?.runtime.misuse("never-completed", error.description, of: LaneContext.current.span)
    return error
  }

  /// Whether the operation can still end, as far as is known. An operation that waits for others
  /// can end if they can. An operation that waits for a place can end if a place is free, or if a
  /// holder of a place can end.
  ///
  /// - Complexity: O(n²) for *n* operations on which it may depend in this way.
  private var canEnd: Bool {
    var needs: [ObjectIdentifier: Needs] = [:]
    var left = [self]
    while let next = left.popLast() {
      let id = ObjectIdentifier(next)
      guard needs[id] == nil else { continue }
      let found = next.needs
      needs[id] = found
      left += found.all + found.oneOf
    }
    var able: Set<ObjectIdentifier> = []
    var isNews = true
    while isNews {
      isNews = false
      for (id, found) in needs where !able.contains(id) {
        let isAble =
          found.all.allSatisfy { able.contains(ObjectIdentifier($0)) }
          && (!found.needsPlace || found.oneOf.contains { able.contains(ObjectIdentifier($0)) })
        if isAble {
          able.insert(id)
          isNews = true
        }
      }
    }
    return able.contains(ObjectIdentifier(self))
  }

  /// The operations that must end before this one can.
  private struct Needs {
    var all: [AsyncOperation] = []
    /// One of these must free its place.
    var oneOf: [AsyncOperation] = []
    var needsPlace = false
  }

  private var needs: Needs {
    let (isExecuting, awaited, unfinished, home) = state.withLock {
      ($0.isExecuting, $0.awaited, $0.outcome == nil ? $0.unfinishedDependencies : [], $0.home)
    }
    if isExecuting { return Needs(all: awaited.map { [$0] } ?? []) }
    var needs = Needs(all: unfinished)
    if case .queue(let queue)? = home, let holders = queue.holdersOfAllPlaces,
      !isFinished, !holders.contains(where: { $0 === self })
    {
      needs.needsPlace = true
      needs.oneOf = holders
    }
    return needs
  }
}
