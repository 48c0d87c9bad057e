extension Recorder {
  /// Runs asynchronous code and records it: its name, its outcome, and what the libraries do on the runtime meanwhile.
  ///
  /// ```swift
  /// let run = await Recorder.record("upload") { runtime in
  ///   let queue = SerialQueue("network", runtime: runtime)
  ///   return try await queue.enqueue(.label("send")) { try await send(file) }.value
  /// }
  /// print(Timeline(run.record).render())
  /// let receipt = try run.value
  /// ```
  ///
  /// The record ends when `body` does. Work that `body` started and did not await may be unfinished in it. Cancelling
  /// the task that awaits this method cancels `body`.
  ///
  /// - Parameters:
  ///   - name: the name of the record, and of the step that represents the code.
  ///   - runtime: provides the workers.
  ///   - limit: the maximum number of events to keep.
  ///   - body: runs once, on the pool. Pass the runtime that it receives to the code that should be recorded.
  /// - Returns: the recorded run. If `body` throws, this method still returns, and the outcome is a failure or a
  ///   cancellation.
  /// - Complexity: O(*n* log *n*) in the number of events, when the code has ended.
  public static func record<Success: Sendable>(
    _ name: String, on runtime: LiveRuntime = .shared, limit: Int = 8_000_000,
    _ body: @escaping @Sendable (LiveRuntime) async throws -> Success
  ) async -> RecordedRun<Success> {
    let recorder = Recorder(clock: .live, limit: limit)
    let runtime = runtime.tracing(to: recorder)
    let root = RecordedRoot(name, recorder, runtime)
    let task = runtime.startBody(of: root.span) {
      try await root.end(Self.result { try await body(runtime) }).get()
    }
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    return RecordedRun(name, result, recorder, .live)
  }

  /// Runs code on the calling thread and records it. The runtime must have this recorder as its trace.
  ///
  /// ```swift
  /// let recorder = Recorder(clock: .virtual)
  /// let runtime = SimulatedRuntime(trace: recorder)
  /// let run = recorder.run("upload", on: runtime) {
  ///   runtime.pool.schedule { upload(on: runtime) }
  ///   runtime.runUntilIdle()
  /// }
  /// ```
  ///
  /// A recorder makes the record of one run. Use a new recorder for the next one.
  ///
  /// - Parameters:
  ///   - name: the name of the record, and of the step that represents the code.
  ///   - body: runs once, on behalf of that step.
  /// - Returns: the recorded run. If `body` throws, this method still returns, and the outcome is a failure or a
  ///   cancellation.
  /// - Complexity: O(*n* log *n*) in the number of events, when the code has ended.
  public func run<Success: Sendable>(
    _ name: String, on runtime: any Runtime, _ body: () throws -> Success
  ) -> RecordedRun<Success> {
    let context = LaneContext.current
    let lane = context.lane
    // The thread that runs a simulation is the main thread of the simulation.
    if runtime.clockKind == .virtual, context.carried == nil { context.lane = .main }
    defer { context.lane = lane }
    let root = RecordedRoot(name, self, runtime)
    let result = context.perform(for: root.span) { root.end(Result { try body() }) }
    return RecordedRun(name, result, self, runtime.clockKind)
  }

  private static func result<Success>(
    _ body: () async throws -> Success
  ) async -> Result<Success, any Error> {
    do {
      return .success(try await body())
    } catch {
      return .failure(error)
    }
  }
}

/// The step that represents recorded code.
private struct RecordedRoot: Sendable {
  let span: Span
  private let recorder: Recorder
  private let runtime: any Runtime

  init(_ name: String, _ recorder: Recorder, _ runtime: any Runtime) {
    (span, self.recorder, self.runtime) = (recorder.nextSpan(), recorder, runtime)
    let now = runtime.now
    recorder.record(.submitted(span, in: .none, label: name, kind: "program", at: now))
    recorder.record(.started(span, because: .outside, at: now))
  }

  /// Records the end of the code.
  func end<Success>(_ result: Result<Success, any Error>) -> Result<Success, any Error> {
    let (cause, now) = (LaneContext.current.cause(for: span), runtime.now)
    switch result {
    case .success: recorder.record(.finished(span, .success, because: cause, at: now))
    case .failure(is CancellationError):
      recorder.record(.finished(span, .cancelled, because: cause, at: now))
    case .failure(let error):
      recorder.record(
        .finished(span, .failure, because: cause, reason: String(describing: error), at: now))
    }
    return result
  }
}
