extension OperationGraph {
  /// Runs the graph, and returns the run to hold: to look at it, and to pause, call off or extend it while it
  /// is under way.
  ///
  /// Some things cost: a lock on the way, and an object for each operation that does not end when it
  /// returns. `start` and `run` are for who needs none of this, and much faster for graphs without options.
  ///
  /// - Parameters:
  ///   - inputs: a value for each input of the graph.
  ///   - width: how many operations may be in flight at once; below one counts as one.
  ///   - policy: what a failure does to the rest.
  ///   - resources: what operations take from while they run.
  ///   - observers: who is told what happens.
  ///   - isOpen: whether operations may be added while it runs; it then ends only after it was closed.
  ///   - isSuspended: whether nothing is to start before it is resumed.
  ///   - isRecording: whether to write down when each operation started and ended.
  ///   - placement: where operations start; asynchronous functions run on the pool if it is `.inline`.
  ///   - runtime: where time and threads come from.
  ///   - cancellation: stops the run: nothing more starts, and what runs is told.
  ///   - completion: see `start`. What another thread is recording just then the trace may have after it.
  /// - Throws: why the run did not begin: an `OperationCycle`, a `GraphInputError`, a `ResourceError` or a
  ///   `TriggerError`. Then nothing has started and `completion` is not called.
  /// - Complexity: O(operations) to start, and altogether O(dependencies + operations × log operations),
  ///   with resources times the number of different needs.
  public func launch(
    _ inputs: GraphInput..., width: Int = .max, policy: FailurePolicy = .stop,
    resources: ResourcePool? = nil, observers: [any GraphObserver] = [], isOpen: Bool = false,
    isSuspended: Bool = false, isRecording: Bool = false, on placement: Placement = .pool,
    runtime: any Runtime = LiveRuntime.shared, cancellation: Cancellation = Cancellation(),
    completion: (@Sendable (Result<GraphResult, any Error>) -> Void)? = nil
  ) throws -> GraphRun {
    let run = try coordinated(
      inputs,
      RunSetup(
        width: width, policy: policy, resources: resources, observers: observers, isOpen: isOpen,
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
