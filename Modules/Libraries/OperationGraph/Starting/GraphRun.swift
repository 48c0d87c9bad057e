internal import AsyncRuntime

/// A handle to a run of a graph. Use it to inspect, suspend, cancel and extend the run while it is in progress.
///
/// ```swift
/// let run = try build.launch(project.value(mine), width: 4)
/// run.suspend()
/// run.cancel(pictures)
/// run.resume()
/// let result = try await run.value
/// ```
///
/// The run continues even if the handle is released. When the last handle of an open or suspended
/// run is released, the run is closed and resumed. Otherwise it could never end, because no other
/// code can close or resume it.
public struct GraphRun: Sendable {
  let run: CoordinatedRun
  private let handle: GraphRunHandle?

  init(_ run: CoordinatedRun, handle: GraphRunHandle?) {
    self.run = run
    self.handle = handle
  }

  /// The open run that the calling operation belongs to, so that the operation can add to it; nil elsewhere.
  @TaskLocal public static var current: GraphRun?

  /// Calls an operation of an open run so that it finds the run as ``current``.
  static let callAsCurrent: CoordinatedRun.Surrounding = { run, body in
    $current.withValue(GraphRun(run, handle: nil), operation: body)
  }

  // MARK: Result

  /// The result of the run; suspends until it has ended. Cancelling the calling task ends the wait with a
  /// `CancellationError`, but does not cancel the run.
  ///
  /// An operation must not await its own run: the run ends after the operation, so neither would ever end.
  ///
  /// - Throws: the error that `completion` of `launch` receives.
  public var value: GraphResult {
    get async throws {
      try await AwaitedResult.wait { bring in run.onCompletion(bring) }
    }
  }

  /// Calls `completion` once when the run has ended, on the thread where the last operation ended. If the run has
  /// already ended, the call is made immediately. Completions are called in the order in which they were added, the one
  /// of `launch` first.
  public func onCompletion(
    _ completion: @escaping @Sendable (Result<GraphResult, any Error>) -> Void
  ) { run.onCompletion(completion) }

  /// The state of an operation.
  ///
  /// - Precondition: it is an operation of this graph.
  public func state<Value>(of operation: OperationGraph.Operation<Value>) -> OperationState {
    run.check(operation)
    guard operation.index >= 0 else { return .succeeded }
    return run.read { OperationState($0.nodes[Int(operation.index)].phase) }
  }

  /// How an operation ended, with its value if it has one; nil if it has not ended.
  ///
  /// - Precondition: it is an operation of this graph.
  public func outcome<Value>(
    of operation: OperationGraph.Operation<Value>
  ) -> OperationGraph.Outcome<Value>? {
    run.check(operation)
    let ending =
      operation.index < 0 ? .succeeded : run.read { $0.nodes[Int(operation.index)].ending }
    guard let ending else { return nil }
    return operation.isOutcome
      ? .success(run.places.outcome(at: operation.slot, ending))
      : .read(operation.slot, of: run.places, ending)
  }

  /// The progress of the run.
  ///
  /// - Complexity: O(1)
  public var progress: GraphProgress { run.read { GraphProgress($0.counts) } }

  /// The progress of the run: its current progress, then its progress after each change. A slow consumer gets only the
  /// latest progress. The stream ends with the run.
  ///
  /// Each access makes another sequence, for one consumer. An update never comes after a later one. No lock is held while
  /// a value is delivered.
  ///
  /// - Complexity: O(1). From then on each change costs O(*n*) for *n* sequences.
  public var progressUpdates: AsyncStream<GraphProgress> {
    run.change { $0.reported = $0.reported ?? GraphProgress($0.counts) }
    return run.progress.states {
      run.read { (element: GraphProgress($0.counts), version: $0.version) }
    }
  }

  /// When each operation became ready, started and ended, in the order of adding; nil unless the run records this.
  public var records: [OperationRecord]? { run.read { $0.records?.all } }

  // MARK: Control

  /// Starts no further operations until the run is resumed. Running operations keep running.
  public func suspend() { run.change { $0.isSuspended = true } }

  /// Lets operations start again.
  public func resume() { run.change { $0.isSuspended = false } }

  /// Whether the run is suspended, so that no operation starts.
  public var isSuspended: Bool { run.read { $0.isSuspended } }

  /// Cancels the run: no further operation starts, and running operations are notified. The run ends when all of them
  /// have ended.
  public func cancel() { run.cancellation.cancel() }

  /// Cancels an operation. One that has not started is cancelled immediately, and with the default trigger so are its
  /// successors. A running operation is notified and decides itself how it ends. If it ends with any error, also by a
  /// timeout, it counts as cancelled. The run's own result is not affected.
  ///
  /// - Precondition: it is an operation of this graph.
  public func cancel<Value>(_ operation: OperationGraph.Operation<Value>) {
    run.check(operation)
    guard operation.index >= 0 else { return }
    run.update { $0.cancel(operation.index) }
  }

  /// Cancels all operations of a part.
  ///
  /// - Precondition: it is a part of this graph.
  public func cancel(_ part: OperationGraph.Part) {
    run.check(part.end)
    run.update { state in part.operations.flatMap { state.cancel($0) } }
  }

  // MARK: Other runs

  /// An operation of this run, for a graph that must wait for it: `other.wait(for: run.operation(bundle))`.
  ///
  /// - Precondition: it is an operation of this graph.
  public func operation<Value>(
    _ operation: OperationGraph.Operation<Value>
  ) -> RemoteOperation<Value> {
    run.check(operation)
    precondition(
      operation.index >= 0 && !operation.isOutcome,
      "another run can only wait for an operation, not for an input or an outcome")
    let name = run.table.name(of: operation.index)
    let end = RemoteEnd(operation.index, of: run, named: name) { places in
      guard operation.slot >= 0 else { return { _, _ in } }
      let value = places.value(at: operation.slot, as: Value.self)
      return { target, slot in target.store(value, at: slot) }
    }
    return RemoteOperation(link: RemoteLink(remote: end, slot: -1))
  }
}

extension CoordinatedRun {
  func check<Value>(_ operation: OperationGraph.Operation<Value>) { table.check(operation) }

  /// Closes and resumes the run, because no caller can do so now.
  func abandon() {
    change { state in
      state.close()
      state.isSuspended = false
    }
  }
}

/// Detects that the last reference to a run was released.
final class GraphRunHandle: Sendable {
  private let run: CoordinatedRun

  init(_ run: CoordinatedRun) { self.run = run }

  deinit {
    let run = run
    guard run.read({ !$0.isConcluded && ($0.life == .open || $0.isSuspended) }) else { return }
    // A lock may be held where the last reference is released.
    run.runtime.pool.schedule { run.abandon() }
  }
}
