@_exported public import AsyncPatterns

/// The value or the error that asynchronous work will come to.
///
/// ```swift
/// let page = Promise<String, any Error> { resolver in
///   download(url) { resolver.resolve($0) }
/// }
/// page.map { $0.count }
///   .recover { _ in 0 }
///   .whenComplete { print($0) }
/// ```
///
/// - It is settled once and stays so. Its error has a type; a promise whose `Failure` is `Never` cannot
///   fail, and has nothing to catch.
/// - Handlers run in the order in which they were added, also those that are added while others run: on
///   the run loop unless the promise or the operator says otherwise (`on:`). `.inline` runs them without
///   a hop where the promise is settled, or where they are added if it is: at once, or as soon as the
///   handler or the step that runs there has returned.
/// - No handler runs inside another one, and none under a lock. A chain of a million links, settled or
///   dropped at once, needs no stack.
/// - A promise starts nothing and cancels nothing: it only tells.
public struct Promise<Success: Sendable, Failure: Error>: Sendable {
  let storage: PromiseStorage<Success, Failure>

  init(_ storage: PromiseStorage<Success, Failure>) { self.storage = storage }

  var context: PromiseContext { storage.context }

  /// A promise that `executor` settles; it runs at once, here. An error it throws fails the promise
  /// unless it has been resolved.
  ///
  /// - Parameters:
  ///   - placement: where the handlers of the chain that begins here run.
  ///   - runtime: where time and threads come from.
  public init(
    on placement: Placement = .main, runtime: any Runtime = LiveRuntime.shared,
    file: StaticString = #fileID, line: UInt = #line,
    _ executor: (Resolver) throws(Failure) -> Void
  ) {
    self.init(PromiseContext(placement, runtime), file: file, line: line, executor)
  }

  init(
    _ context: PromiseContext, file: StaticString = #fileID, line: UInt = #line,
    _ executor: (Resolver) throws(Failure) -> Void
  ) {
    self.init(PromiseStorage(context))
    let resolver = Resolver(storage, file: file, line: line)
    do throws(Failure) {
      try executor(resolver)
    } catch {
      resolver.tryResolve(.failure(error))
    }
  }

  /// A promise and the one who settles it.
  public static func withResolvers(
    on placement: Placement = .main, runtime: any Runtime = LiveRuntime.shared,
    file: StaticString = #fileID, line: UInt = #line
  ) -> (promise: Promise, resolver: Resolver) {
    let promise = Promise(PromiseStorage(PromiseContext(placement, runtime)))
    return (promise, Resolver(promise.storage, file: file, line: line))
  }

  /// A promise that is settled.
  public init(
    _ result: Result<Success, Failure>, on placement: Placement = .main,
    runtime: any Runtime = LiveRuntime.shared
  ) {
    self.init(PromiseStorage(PromiseContext(placement, runtime)))
    storage.settle(result)
  }

  /// A promise that is fulfilled with `value`.
  public static func fulfilled(
    _ value: Success, on placement: Placement = .main, runtime: any Runtime = LiveRuntime.shared
  ) -> Promise {
    Promise(.success(value), on: placement, runtime: runtime)
  }

  /// A promise that is rejected with `error`.
  public static func rejected(
    _ error: Failure, on placement: Placement = .main, runtime: any Runtime = LiveRuntime.shared
  ) -> Promise {
    Promise(.failure(error), on: placement, runtime: runtime)
  }
}
