internal import AsyncRuntime

/// A run of a graph, to hold: to look at it, and to pause, call off and extend it while it is under way.
///
/// ```swift
/// let run = try build.launch(project.value(mine), width: 4)
/// run.suspend()
/// run.cancel(pictures)
/// run.resume()
/// let result = try await run.value
/// ```
///
/// Nobody need hold it for the run to go on. If everybody has let go of a run that is open or suspended, it
/// is closed and resumed: nobody else could, and it is not to hang.
public struct GraphRun: Sendable {
  let run: CoordinatedRun
  private let handle: GraphRunHandle?

  init(_ run: CoordinatedRun, handle: GraphRunHandle?) {
    self.run = run
    self.handle = handle
  }

  /// The open run in which the calling operation runs, so that it can add to it; nil elsewhere.
  @TaskLocal public static var current: GraphRun?

  /// Calls an operation of an open run so that it finds the run as ``current``.
  static let callAsCurrent: CoordinatedRun.Surrounding = { run, body in
    $current.withValue(GraphRun(run, handle: nil), operation: body)
  }

  // MARK: What it comes to

  /// What it has come to. Cancelling the calling task ends the wait, with a `CancellationError`, and not the
  /// run.
  ///
  /// - Throws: what `completion` of `launch` is given.
  public var value: GraphResult {
    get async throws {
      try await AwaitedResult.wait { bring in run.onCompletion(bring) }
    }
  }

  /// Calls `completion` once when the run is over, at once if it is: on the thread on which the last
  /// operation ended. Of several, who came first is called first, and `launch`'s before all others.
  public func onCompletion(
    _ completion: @escaping @Sendable (Result<GraphResult, any Error>) -> Void
  ) { run.onCompletion(completion) }

  /// How far an operation has come.
  ///
  /// - Precondition: it is an operation of this graph.
  public func state<Value>(of operation: OperationGraph.Operation<Value>) -> OperationState {
    run.check(operation)
    guard operation.index >= 0 else { return .succeeded }
    return run.read { OperationState($0.nodes[Int(operation.index)].phase) }
  }

  /// How an operation ended, with its value if it has one; nil if it has not.
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

  /// How far the run has come.
  ///
  /// - Complexity: O(1)
  public var progress: GraphProgress { run.read { GraphProgress($0.counts) } }

  /// How far the run has come, now and then each time something has changed; who is slow gets the latest.
  /// It ends with the run.
  public var progressUpdates: AsyncStream<GraphProgress> {
    run.change { $0.isFollowed = true }
    let stream = run.progress.stream(progress)
    if run.read({ $0.isConcluded }) {
      let last = progress
      run.progress.tell(last, version: .max, isLast: true)
    }
    return stream
  }

  /// When each operation was ready, started and ended, in the order of adding; nil unless the run was asked to
  /// record that.
  public var records: [OperationRecord]? { run.read { $0.records?.all } }

  // MARK: Control

  /// Starts nothing more until it is resumed; what runs goes on.
  public func suspend() { run.change { $0.isSuspended = true } }

  /// Lets operations start again.
  public func resume() { run.change { $0.isSuspended = false } }

  /// Whether nothing starts until it is resumed.
  public var isSuspended: Bool { run.read { $0.isSuspended } }

  /// Calls off the run: nothing more starts, and what runs is told. It ends when all that has ended.
  public func cancel() { run.cancellation.cancel() }

  /// Calls off an operation. One that has not started is cancelled at once, and so is, by the usual trigger,
  /// what comes after it; one that runs is told, and ends as it says. The run's own result is not touched.
  ///
  /// - Precondition: it is an operation of this graph.
  public func cancel<Value>(_ operation: OperationGraph.Operation<Value>) {
    run.check(operation)
    guard operation.index >= 0 else { return }
    run.update { $0.cancel(operation.index) }
  }

  /// Calls off all operations of a part.
  ///
  /// - Precondition: it is a part of this graph.
  public func cancel(_ part: OperationGraph.Part) {
    run.check(part.end)
    run.update { state in part.operations.flatMap { state.cancel($0) } }
  }

  // MARK: Other runs

  /// An operation of this run, for a graph that is to come after it:
  /// `other.wait(for: run.operation(bundle))`.
  ///
  /// - Precondition: it is an operation of this graph.
  public func operation<Value>(
    _ operation: OperationGraph.Operation<Value>
  ) -> RemoteOperation<Value> {
    run.check(operation)
    precondition(
      operation.index >= 0 && !operation.isOutcome,
      "only an operation itself can be waited for by another run")
    return RemoteOperation(
      link: RemoteLink(
        source: run, operation: operation.index, name: run.table.name(of: operation.index),
        sourceSlot: operation.slot, slot: -1
      ) { link, target in
        guard link.slot >= 0 else { return }
        target.store(
          link.source.places.value(at: link.sourceSlot, as: Value.self), at: link.slot)
      })
  }
}

extension CoordinatedRun {
  func check<Value>(_ operation: OperationGraph.Operation<Value>) { table.check(operation) }

  /// No caller can close or resume it any more.
  func abandon() {
    change { state in
      state.close()
      state.isSuspended = false
    }
  }
}

/// Notices when nobody holds a run any more.
final class GraphRunHandle: Sendable {
  private let run: CoordinatedRun

  init(_ run: CoordinatedRun) { self.run = run }

  deinit {
    let run = run
    guard run.read({ !$0.isConcluded && ($0.life == .open || $0.isSuspended) }) else { return }
    // Somebody's lock may be held where the last reference goes.
    run.runtime.pool.schedule { run.abandon() }
  }
}
