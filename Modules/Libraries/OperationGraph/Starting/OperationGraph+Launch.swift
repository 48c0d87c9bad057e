extension OperationGraph {
  /// Starts a run of the graph and returns a handle to it. Use the handle to inspect, suspend, cancel or extend the run
  /// while it is in progress.
  ///
  /// These features have a cost: the run uses a lock, and an object for each operation that does not end when it
  /// returns. Without them, use `start` or `run`, which are much faster for graphs without options.
  ///
  /// - Parameters:
  ///   - inputs: a value for each input of the graph.
  ///   - width: how many operations may be in flight at the same time; below one counts as one.
  ///   - policy: how a failure affects the rest of the run.
  ///   - resources: the pool that operations take resources from while they run.
  ///   - observers: objects that are notified of the events of the run.
  ///   - isOpen: whether operations may be added while it runs. An open run ends only after it was closed.
  ///   - isSuspended: whether nothing starts before the run is resumed.
  ///   - isRecording: whether to record when each operation started and ended.
  ///   - placement: where operations start. Asynchronous functions run on the pool if it is `.inline`.
  ///   - runtime: the source of time and threads.
  ///   - cancellation: cancels the run: no further operation starts, and running operations are notified.
  ///   - completion: see `start`. The trace may receive one more event after the call of `completion`, if another
  ///     thread is recording that event at the time.
  /// - Throws: the reason why the run did not start: an `OperationCycle`, a `GraphInputError`, a `ResourceError` or a
  ///   `TriggerError`. Then nothing has started and `completion` is not called.
  /// - Complexity: O(operations) to start, and altogether O(dependencies + operations × log operations). With
  ///   resources, this is multiplied by the number of different needs.
  public func launch(
    _ inputs: GraphInput..., width: Int = .max, onFailure policy: FailurePolicy = .stop,
    resources: ResourcePool? = nil, observers: [any GraphObserver] = [], isOpen: Bool = false,
    isSuspended: Bool = false, isRecording: Bool = false, on placement: Placement = .pool,
    runtime: any Runtime = LiveRuntime.shared, cancellation: Cancellation = Cancellation(),
    completion: (@Sendable (Result<GraphResult, any Error>) -> Void)? = nil
  ) throws -> GraphRun {
    let run = try coordinated(
      inputs,
      RunSetup(
        width: width, onFailure: policy, resources: resources, observers: observers, isOpen: isOpen,
        surrounding: isOpen ? GraphRun.callAsCurrent : nil, isSuspended: isSuspended,
        isRecording: isRecording, placement: placement,
        runtime: runtime, cancellation: cancellation, label: tracedName), completion)
    run.start()
    return GraphRun(run, handle: GraphRunHandle(run))
  }

  func coordinated(
    _ inputs: [GraphInput], _ setup: RunSetup, _ completion: CoordinatedRun.Completion?
  ) throws -> CoordinatedRun {
    let values = RunValues(table.slots)
    try values.store(inputs, of: storage)
    return try CoordinatedRun(self, values, setup, completion: completion)
  }
}
