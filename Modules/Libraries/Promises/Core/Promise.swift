public import AsyncRuntime

/// A value or an error that asynchronous work will produce.
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
/// - A promise is settled once, and its result never changes. Its error has a type. A promise whose `Failure` is
///   `Never` cannot fail, and has nothing to catch.
/// - Handlers of one serial scheduler run in the order in which they were added. This includes handlers
///   that are added while others run. On the pool, the handlers of one promise may run at the same
///   time. By default the scheduler is the main one. The scope
///   (`withPromiseDefaults`), the promise, the chain (`on(_:)`) or the operator (`on:`) can set
///   another one. However many links of a chain run on one scheduler, together they cost one hop.
///   They cost none if the scheduler is serial and one of its jobs settles the promise. They then
///   follow that job.
/// - `.inline` runs handlers without a hop. A handler runs where the promise is settled, or where
///   the handler is added if the promise is already settled. It runs immediately, or as soon as the
///   handler or step that is running there has returned.
/// - No handler runs inside another one, and none runs under a lock. Settling or dropping a whole chain of a million
///   links does not grow the stack. A `then` that loops forever does not grow the memory in use.
/// - Any number of handlers can be added to a promise, and code can share it freely.
/// - A promise starts no work. Its cancellation cancels other promises only if they were made with
///   `whenUnused: .cancel`: see `cancel()`.
/// - A failure that no code has handled is reported once as `unhandled-failure`, with its path (see
///   `failureTrail`). The report is made when the last promise that has the failure is released.
///   `catch` and `recover` handle a failure when they call their handlers. `flatMapError`,
///   `mapError` (which fails with a new failure), `whenComplete`, `await`, `wait` and `current`
///   always handle it. Functions that gather several promises handle their failures, too. If the
///   new promise fails, its own failure must be handled. `tap`, `ensure`, `get`, `done` and the
///   other operators only pass a failure on. `ignoringFailure()` states that no code needs to
///   handle it. A cancellation is not a failure.
///
/// - Complexity: a link is one object. Adding a link is O(1), and so is notifying it.
public struct Promise<Success: Sendable, Failure: Error>: Sendable {
  @usableFromInline let storage: PromiseStorage<Success, Failure>

  @usableFromInline
  init(_ storage: PromiseStorage<Success, Failure>) { self.storage = storage }

  var context: PromiseContext { storage.context }

  /// Creates a promise that `executor` settles. `executor` runs immediately, on the calling thread. An error that it
  /// throws fails the promise, unless the promise has been resolved.
  ///
  /// - Parameters:
  ///   - placement: where the handlers of the new chain run. If nil, the scope or the handler that
  ///     is running determines it.
  ///   - runtime: the source of time and threads. If nil, the same default applies as for
  ///     `placement`.
  ///   - cancellation: cancels the promise and its chain, as in `until(_:)`.
  ///   - whenUnused: what happens to the promise when its last handler is cancelled.
  @inlinable
  public init(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    cancellation: Cancellation? = nil, whenUnused: UnusedPolicy = .keep,
    file: StaticString = #fileID, line: UInt = #line,
    _ executor: (Resolver) throws(Failure) -> Void
  ) {
    self.init(
      .make(placement, runtime, cancellation: cancellation), whenUnused, Site(file, line), executor)
  }

  @inlinable
  init(
    _ context: ContextReference, _ whenUnused: UnusedPolicy, _ site: Site,
    _ executor: (Resolver) throws(Failure) -> Void
  ) {
    let root = RootStorage<Success, Failure>(context, site, whenUnused: whenUnused)
    self.init(root)
    let resolver = Resolver(root)
    root.beginChain {
      do throws(Failure) {
        try executor(resolver)
      } catch {
        resolver.tryResolve(.failure(error))
      }
    }
  }

  /// A promise and the resolver that settles it. The parameters are those of `init`.
  @inlinable
  public static func withResolvers(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    cancellation: Cancellation? = nil, whenUnused: UnusedPolicy = .keep,
    file: StaticString = #fileID, line: UInt = #line
  ) -> (promise: Promise, resolver: Resolver) {
    let root = RootStorage<Success, Failure>(
      .make(placement, runtime, cancellation: cancellation), Site(file, line),
      whenUnused: whenUnused)
    root.beginChain()
    return (Promise(root), Resolver(root))
  }

  /// Creates a promise that is already settled.
  @inlinable
  public init(
    _ result: Result<Success, Failure>, on placement: Placement? = nil,
    runtime: (any Runtime)? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(PromiseStorage(result, .make(placement, runtime), Site(file, line)))
  }

  /// A promise that is already fulfilled with `value`.
  @inlinable
  public static func fulfilled(
    _ value: Success, on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Promise(PromiseStorage(.success(value), .make(placement, runtime), Site(file, line)))
  }

  /// A promise that is already rejected with `error`.
  @inlinable
  public static func rejected(
    _ error: Failure, on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Promise(PromiseStorage(.failure(error), .make(placement, runtime), Site(file, line)))
  }

  /// A promise for the value that `body` returns or the error that it throws. `body` runs immediately, on the calling
  /// thread.
  @inlinable
  public static func `try`(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    file: StaticString = #fileID, line: UInt = #line,
    _ body: () throws(Failure) -> Success
  ) -> Promise {
    do throws(Failure) {
      return .fulfilled(try body(), on: placement, runtime: runtime, file: file, line: line)
    } catch {
      return .rejected(error, on: placement, runtime: runtime, file: file, line: line)
    }
  }

  /// A promise that is intentionally never settled. Handlers added to it are released immediately, without being
  /// called.
  public static func never(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Promise(
      PromiseStorage(
        .make(placement, runtime), Site(file, line), flags: Flag.gone | Flag.sealed | Flag.claimed))
  }

  /// The result, or nil if the promise is not settled. Reading a failure counts as handling it.
  public var current: Result<Success, Failure>? {
    let result = storage.currentResult
    if case .failure? = result { storage.handleFailure() }
    return result
  }

  /// Cancels the promise immediately, unless it is settled. The promise fails with a `CancellationError` if `Failure`
  /// can be that error, as `any Error` can. Otherwise there is no result for its handlers: the promise stays unsettled,
  /// and the handlers are released without being called.
  ///
  /// If an operator made the promise and its handler has not started, that handler never runs. The
  /// promise from which this one was made loses a handler. If that was its last handler and its
  /// chain has `whenUnused: .cancel`, it is cancelled, too. This continues up to the beginning of
  /// the chain, where `Resolver.onCancel` notifies the code that works for the chain.
  ///
  /// - Returns: false if the promise was already settled.
  @discardableResult
  public func cancel() -> Bool { storage.cancel() }

  /// Whether the promise was cancelled, or failed because of a cancellation.
  public var isCancelled: Bool {
    if storage.root().isCancelled { return true }
    if case .failure(is CancellationError)? = storage.currentResult { return true }
    return false
  }
}
