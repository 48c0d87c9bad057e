internal import AsyncRuntime
internal import Synchronization

extension AsyncOperation {
  /// Suspends until it has ended.
  ///
  /// - Returns: how it ended.
  /// - Throws: `CancellationError` as soon as the calling task is cancelled, and the operation goes on;
  ///   ``AsyncOperationError/selfAwait(_:awaits:)`` inside an asynchronous operation that this one cannot end
  ///   before: it depends on that one, or there is no place for it in the queue as long as that one runs.
  ///   Tasks that the operation starts itself are not noticed.
  @discardableResult
  public func waitUntilFinished() async throws -> Outcome {
    guard let caller = Self.caller else { return try await outcomeOnceFinished() }
    // Looked at once it is known that the caller waits: of several that would wait for each other, one sees it.
    caller.state.withLock { $0.awaited = self }
    defer { caller.state.withLock { $0.awaited = nil } }
    guard canEnd else { throw caller.refusal(of: "“\(name)”") }
    return try await outcomeOnceFinished()
  }

  private func outcomeOnceFinished() async throws -> Outcome {
    let ended = Locked<Outcome?>(nil)
    try await AwaitedResult<Void>.wait { bring in
      onFinished { outcome in
        ended.withLock { $0 = outcome }
        bring(.success(()))
      }
    }
    return ended.withLock { $0 } ?? .cancelled
  }

  /// The operation whose own task is the calling one.
  static var caller: AsyncOperation? {
    guard let running, let currentTask else { return nil }
    return running.taskIdentity.load(ordering: .relaxed) == currentTask ? running : nil
  }

  /// Reports that it awaits something that cannot end before it does.
  func refusal(of awaited: String) -> AsyncOperationError {
    let error = AsyncOperationError.selfAwait(name, awaits: awaited)
    let home = state.withLock { $0.home }
    home?.runtime.misuse("never-completed", error.description, of: LaneContext.current.span)
    return error
  }

  /// Whether it can still end, as far as anybody knows: whoever waits for somebody can if that one can, and
  /// whoever waits for a place can if one is free, or somebody can who has one.
  ///
  /// - Complexity: O(n²) for *n* operations that it could depend on that way.
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

  /// Whose ends it needs before its own.
  private struct Needs {
    var all: [AsyncOperation] = []
    /// One of these has to give its place up.
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
