import AsyncPatterns
import Promises

/// The common parts of the promise patterns.
extension Scope {
  /// A promise for the result of `step`, which starts now unless the scope is cancelled.
  func promise(of step: Step, input: Value) -> Promise<Value, any Error> {
    let (promise, resolver) = untraced {
      Promise<Value, any Error>.withResolvers(on: .inline, runtime: runtime)
    }
    // The previous step may have ignored the cancellation.
    if isCancelled {
      resolver.reject(CancellationError())
    } else {
      start(step, input: input) { resolver.resolve($0) }
    }
    return promise
  }

  /// Runs `body`. The trace does not record its promises, because it records the steps.
  func untraced<Result>(_ body: () -> Result) -> Result {
    withPromiseDefaults(isTraced: false, body)
  }

  /// A promise for a chain of `steps`. Each step starts at `placement`, with the value of the step before it.
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

  /// Returns the promise that `body` makes in a scope of its own. The scope is cancelled when the promise has no
  /// handlers left.
  func cancelledWhenUnused(
    _ body: (Scope) -> Promise<Value, any Error>
  ) -> Promise<Value, any Error> {
    let scope = cancellable()
    let (promise, resolver) = untraced {
      Promise<Value, any Error>.withResolvers(
        on: .inline, runtime: runtime, whenUnused: .cancel)
    }
    let result = body(scope)
    resolver.onCancel {
      // A step may still fail. No code wants to know.
      result.ignoringFailure()
      scope.cancel()
    }
    resolver.resolve(with: result)
    return promise
  }

  /// A promise for each step. All steps start now.
  ///
  /// - Parameter cancelsUnneeded: whether a step is cancelled when its result is no longer wanted.
  func promises(
    of steps: [Step], input: Value, cancelsUnneeded: Bool = true
  ) -> [Promise<Value, any Error>] {
    steps.map { promise(of: $0, input: input, cancelsUnneeded: cancelsUnneeded) }
  }

  /// A promise for the result of `step`, which starts now.
  ///
  /// - Parameter cancelsUnneeded: whether the step is cancelled when its result is no longer wanted.
  func promise(of step: Step, input: Value, cancelsUnneeded: Bool) -> Promise<Value, any Error> {
    guard cancelsUnneeded else { return promise(of: step, input: input) }
    return cancelledWhenUnused { $0.promise(of: step, input: input) }
  }

  /// Calls `completion` with the result of `promise`.
  ///
  /// - Parameter isPrompt: whether the promise is cancelled with the scope, because it also waits for something other
  ///   than steps.
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

  /// A promise for the results of the promises that `start` makes from `steps`. At most `width` of these promises are
  /// in progress at the same time.
  func map<Output: Sendable>(
    _ steps: [Step], width: Int,
    _ start: @escaping @Sendable (Step) -> Promise<Output, any Error>
  ) -> Promise<[Output], any Error> {
    untraced { .map(steps, width: width, on: .inline, runtime: runtime, start) }
  }
}

extension Parameter {
  static let width = Parameter(
    "width", .integer(1...Int.max),
    summary: "how many steps run at the same time; all of them unless given")

  static let others = Parameter(
    "others", .word(["cancel", "continue"]), default: .string("cancel"),
    summary: "whether steps whose result is no longer needed are cancelled, or keep running")
}

extension Arguments {
  /// How many steps run at the same time; nil for no limit.
  var width: Int? {
    get throws(ArgumentError) { self["width"] == nil ? nil : try integer("width") }
  }

  /// Whether a step is cancelled when its result is no longer wanted.
  var cancelsUnneeded: Bool {
    get throws(ArgumentError) { try string("others") == "cancel" }
  }
}
