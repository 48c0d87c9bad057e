extension Scope {
  /// Runs an asynchronous function on the runtime's pool, in a task on behalf of the scope's step.
  ///
  /// Cancelling the scope cancels the task.
  ///
  /// - Parameters:
  ///   - completion: called once with what the function returns or throws.
  ///   - body: the function.
  public func startTask(
    then completion: @escaping Completion,
    _ body: @escaping @Sendable () async throws -> Value
  ) {
    let (runtime, span) = (runtime, span)
    runtime.asynchronousBodyStarted(span)
    let task = runtime.startBody(of: span, body)
    let registration = onCancel { task.cancel() }
    runtime.startBody(of: span) {
      let result = await task.result
      registration.dispose()
      runtime.asynchronousBodyEnded(span)
      completion(result)
    }
  }
}
