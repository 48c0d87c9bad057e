import AsyncPatterns

/// What the patterns of promises have in common.
extension Scope {
  /// A promise for what `step` comes to, which starts now unless the scope is cancelled.
  func promise(of step: Step, input: Value) -> Promise<Value, any Error> {
    Promise(on: .inline, runtime: runtime) { resolver in
      // The step before need not have heeded the cancellation.
      guard !isCancelled else { return resolver.reject(CancellationError()) }
      start(step, input: input) { resolver.resolve($0) }
    }
  }

  /// The promise of `steps`, each started with the value of the one before.
  func chain(of steps: [Step], input: Value) -> Promise<Value, any Error> {
    let first = Promise<Value, any Error>.fulfilled(input, on: .inline, runtime: runtime)
    return steps.reduce(first) { promise, step in
      promise.then { self.promise(of: step, input: $0) }
    }
  }

  /// The promise that `body` makes, in a scope of its own: when nobody listens any more, what was started there is
  /// called off.
  func calledOffUnused(
    _ body: (Scope) -> Promise<Value, any Error>
  ) -> Promise<Value, any Error> {
    let scope = cancellable()
    return Promise(on: .inline, runtime: runtime, unused: .isCancelled) { resolver in
      resolver.onCancel { scope.cancel() }
      resolver.resolve(with: body(scope))
    }
  }

  /// A promise for each step, all of which start now; those that nobody waits for any more are called off.
  func promises(of steps: [Step], input: Value) -> [Promise<Value, any Error>] {
    steps.map { step in calledOffUnused { $0.promise(of: step, input: input) } }
  }

  /// Calls `completion` with what `promise` comes to, and tells the trace which step's end decided that.
  ///
  /// - Parameter isPrompt: whether the promise is cancelled with the scope, since it waits for other things than
  ///   steps.
  func complete(
    _ completion: @escaping Completion, with promise: Promise<Value, any Error>,
    isPrompt: Bool = false
  ) {
    let registration = isPrompt ? onCancel { promise.cancel() } : nil
    promise.whenComplete { result in
      registration?.dispose()
      let cause = LaneContext.current.cause
      if let trace = runtime.trace, cause != .none, cause != span {
        trace.record(.edge(.resolvedBy, from: cause, to: span, at: runtime.now))
      }
      if isCancelled, case .failure = result {
        return completion(.failure(CancellationError()))
      }
      completion(result)
    }
  }
}
