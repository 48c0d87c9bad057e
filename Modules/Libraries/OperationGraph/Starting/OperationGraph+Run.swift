extension OperationGraph {
  /// Runs the graph.
  ///
  /// - Parameters:
  ///   - inputs: a value for each input of the graph.
  ///   - width: how many operations may be in flight at the same time; below one counts as one.
  ///   - policy: how a failure affects the rest of the run.
  ///   - resources: the pool that operations take resources from while they run.
  ///   - placement: where operations start. Asynchronous functions run on the pool if it is `.inline`.
  ///   - runtime: the source of time and threads.
  ///   - cancellation: cancels the run: no further operation starts, and running operations are notified.
  ///   - completion: called once, when no operation is in flight. It receives the result, the first failure,
  ///     or the reason why the run did not start (`OperationCycle`, `GraphInputError`, `ResourceError`,
  ///     `TriggerError`). It runs on the thread where the last operation ended, or before this returns if there is
  ///     nothing to run.
  /// - Complexity: O(operations) to start, and altogether O(operations + dependencies).
  public func start(
    _ inputs: GraphInput..., width: Int = .max, onFailure policy: FailurePolicy = .stop,
    resources: ResourcePool? = nil, on placement: Placement = .pool,
    runtime: any Runtime = LiveRuntime.shared,
    cancellation: Cancellation = Cancellation(),
    completion: @escaping @Sendable (Result<GraphResult, any Error>) -> Void
  ) {
    start(
      given: inputs, width: width, onFailure: policy, resources: resources, on: placement,
      runtime: runtime, cancellation: cancellation, completion: completion)
  }

  /// Runs the graph, and returns when no operation is in flight. Cancelling the calling task cancels the run.
  ///
  /// A run may fail although some operations succeeded. To find out which ones, keep a handle to
  /// the run and ask it after the end: see `launch` and ``GraphRun/outcome(of:)``.
  ///
  /// - Parameters: see `start`.
  /// - Throws: the first failure; a `CancellationError` if the run was cancelled before all operations had started. An
  ///   `OperationCycle`, a `GraphInputError`, a `ResourceError` or a `TriggerError` means that nothing has started.
  @discardableResult
  public func run(
    _ inputs: GraphInput..., width: Int = .max, onFailure policy: FailurePolicy = .stop,
    resources: ResourcePool? = nil, on placement: Placement = .pool,
    runtime: any Runtime = LiveRuntime.shared
  ) async throws -> GraphResult {
    let cancellation = Cancellation()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        start(
          given: inputs, width: width, onFailure: policy, resources: resources, on: placement,
          runtime: runtime, cancellation: cancellation
        ) { continuation.resume(with: $0) }
      }
    } onCancel: {
      cancellation.cancel()
    }
  }

  /// Runs the graph with the inputs in a list: see
  /// ``start(_:width:onFailure:resources:on:runtime:cancellation:completion:)``.
  ///
  /// - Parameter isTraced: whether the trace of the runtime records the run and its operations. Pass false if other
  ///   code records them.
  public func start(
    given inputs: [GraphInput], width: Int = .max, onFailure policy: FailurePolicy = .stop,
    resources: ResourcePool? = nil, on placement: Placement = .pool,
    runtime: any Runtime = LiveRuntime.shared,
    cancellation: Cancellation = Cancellation(), isTraced: Bool = true,
    completion: @escaping @Sendable (Result<GraphResult, any Error>) -> Void
  ) {
    start(
      given: inputs, width: width, onFailure: policy, resources: resources, on: placement,
      runtime: runtime, cancellation: cancellation, tracedAs: isTraced ? tracedName : nil,
      completion: completion)
  }

  /// - Parameter label: the name of the run in the trace; nil if the caller records the run itself.
  func start(
    given inputs: [GraphInput], width: Int, onFailure policy: FailurePolicy = .stop,
    resources: ResourcePool? = nil, on placement: Placement, runtime: any Runtime,
    cancellation: Cancellation, tracedAs label: String?,
    completion: @escaping @Sendable (Result<GraphResult, any Error>) -> Void
  ) {
    do {
      // A trace has the same events with both kinds of runs, so only one of them records.
      guard isPlain, policy == .stop, label == nil || runtime.trace == nil else {
        let setup = RunSetup(
          width: width, onFailure: policy, resources: resources, placement: placement,
          runtime: runtime, cancellation: cancellation, label: label)
        return try coordinated(inputs, setup, completion).start()
      }
      let plan = try plan()
      let values = RunValues(table.slots)
      try values.store(inputs, of: storage)
      FlatRun(
        FlatRunCore(storage, plan, values, completion: completion), width: width, on: placement,
        runtime: runtime, cancellation: cancellation
      ).start()
    } catch {
      completion(.failure(error))
    }
  }
}
