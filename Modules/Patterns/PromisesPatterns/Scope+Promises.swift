import AsyncPatterns
import Promises

/// What the patterns of promises have in common.
extension Scope {
  /// A promise for what `step` comes to, which starts now unless the scope is cancelled.
  func promise(of step: Step, input: Value) -> Promise<Value, any Error> {
    let (promise, resolver) = untraced {
      Promise<Value, any Error>.withResolvers(on: .inline, runtime: runtime)
    }
    // The step before need not have heeded the cancellation.
    if isCancelled {
      resolver.reject(CancellationError())
    } else {
      start(step, input: input) { resolver.resolve($0) }
    }
    return promise
  }

  /// Runs `body`, whose promises the trace does not record: it records the steps.
  func untraced<Result>(_ body: () -> Result) -> Result {
    withPromiseDefaults(isTraced: false, body)
  }

  /// The promise of `steps`, each started at `placement` with the value of the one before.
  func chain(
    of steps: [Step], input: Value, on placement: Placement = .inline
  ) -> Promise<Value, any Error> {
    let first = untraced {
      Promise<Value, any Error>.fulfilled(input, on: placement, runtime: runtime)
    }
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
    let (promise, resolver) = untraced {
      Promise<Value, any Error>.withResolvers(
        on: .inline, runtime: runtime, unused: .isCancelled)
    }
    resolver.onCancel { scope.cancel() }
    resolver.resolve(with: body(scope))
    return promise
  }

  /// A promise for each step, all of which start now.
  ///
  /// - Parameter callsOff: whether those that nobody waits for any more are called off.
  func promises(
    of steps: [Step], input: Value, callsOff: Bool = true
  ) -> [Promise<Value, any Error>] {
    steps.map { promise(of: $0, input: input, callsOff: callsOff) }
  }

  /// A promise for what `step` comes to, which starts now.
  ///
  /// - Parameter callsOff: whether it is called off when nobody waits for it any more.
  func promise(of step: Step, input: Value, callsOff: Bool) -> Promise<Value, any Error> {
    guard callsOff else { return promise(of: step, input: input) }
    return calledOffUnused { $0.promise(of: step, input: input) }
  }

  /// Calls `completion` with the result of `promise`.
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
      if isCancelled, case .failure = result {
        return completion(.failure(CancellationError()))
      }
      completion(result)
    }
  }

  /// A promise for what the promises that `start` makes of `steps` come to, no more than `limit` of which are
  /// under way at once.
  func map<Output: Sendable>(
    _ steps: [Step], limit: Int,
    _ start: @escaping @Sendable (Step) -> Promise<Output, any Error>
  ) -> Promise<[Output], any Error> {
    untraced { .map(steps, limit: limit, on: .inline, runtime: runtime, start) }
  }
}

extension Arguments {
  /// How many steps run at once, if that is limited.
  var limit: Int? {
    get throws(ArgumentError) { self["limit"] == nil ? nil : try integer("limit") }
  }

  /// Whether steps that nobody waits for any more are called off.
  var callsOff: Bool {
    get throws(ArgumentError) { try string("others") == "called-off" }
  }
}
