internal import AsyncRuntime

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
    let caller = Self.caller
    // `canEnd` is checked only after the wait is recorded: if several operations would wait for each other, one of them
    // sees it.
    caller?.state.withLock { $0.awaited = self }
    defer { caller?.state.withLock { $0.awaited = nil } }
    if let caller, !canEnd { throw caller.refusal(of: "“\(name)”") }
    return try await AwaitedResult.wait { bring in onCompletion { bring(.success($0)) } }
  }

  /// The operation whose task runs the code, with the identity of that task. Tasks that the operation starts inherit the
  /// value, but have another identity.
  @TaskLocal private static var running: (operation: AsyncOperation, task: Int?)?

  /// Distinguishes the calling task from others; nil outside any task.
  private static var currentTask: Int? { withUnsafeCurrentTask { $0?.hashValue } }

  /// Runs the work of the operation in its task.
  func runInTask(_ work: @Sendable () async throws -> Void) async throws {
    try await Self.$running.withValue((self, Self.currentTask)) { try await work() }
  }

  /// The operation that runs in the calling task; nil if there is none.
  static var caller: AsyncOperation? {
    guard let running, running.task == currentTask else { return nil }
    return running.operation
  }

  /// The error for an operation that awaits something which cannot end before the operation itself.
  func refusal(of awaited: String) -> AsyncOperationError {
    let error = AsyncOperationError.selfAwait(name, awaits: awaited)
    runtime.misuse("never-completed", error.description, of: LaneContext.current.span)
    return error
  }

  /// Whether the operation can still end, as far as is known. An operation that waits for others
  /// can end if they can. An operation that waits for a place can end if a place is free, or if a
  /// holder of a place can end.
  ///
  /// - Complexity: O(n²) for *n* operations on which it may depend in this way.
  private var canEnd: Bool {
    var stuck: [AsyncOperation: Needs] = [:]
    var left = [self]
    while let next = left.popLast() {
      guard stuck[next] == nil else { continue }
      let needs = next.needs
      stuck[next] = needs
      left += needs.all + (needs.oneOf ?? [])
    }
    // Take out the operations that can end, until there are none left to take out.
    var count: Int
    repeat {
      count = stuck.count
      stuck = stuck.filter { _, needs in
        needs.all.contains { stuck[$0] != nil }
          || needs.oneOf.map { $0.allSatisfy { stuck[$0] != nil } } ?? false
      }
    } while stuck.count < count
    return stuck[self] == nil
  }

  /// The operations that must end before an operation can. If it needs a place, one of `oneOf` must also free its place.
  private typealias Needs = (all: [AsyncOperation], oneOf: [AsyncOperation]?)

  private var needs: Needs {
    let (isExecuting, awaited, unfinished, isFinished) = state.withLock {
      ($0.isExecuting, $0.awaited, $0.unfinishedDependencies, $0.ending != nil)
    }
    if isExecuting { return (awaited.map { [$0] } ?? [], nil) }
    let holders = isFinished ? nil : queue?.holdersOfAllPlaces
    // It may have got a place and not have started yet.
    return (unfinished, holders.flatMap { $0.contains(self) ? nil : $0 })
  }
}
