public import AsyncRuntime

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
/// - Handlers of one scheduler run in the order in which they were added, also those that are added while
///   others run: on the main scheduler unless the scope (`withPromiseDefaults`), the promise, the chain (`on(_:)`)
///   or the operator (`on:`) says otherwise. However many links of a chain are on one scheduler, they cost
///   one hop.
/// - `.inline` runs them without a hop where the promise is settled, or where they are added if it is: at
///   once, or as soon as the handler or the step that runs there has returned.
/// - No handler runs inside another one, and none under a lock. A chain of a million links, settled or
///   dropped at once, needs no stack, and a `then` that loops for ever no memory.
/// - Any number may listen: a promise is shared as it is.
/// - A promise starts nothing. It cancels only what asked for it, see `cancel()`.
/// - A failure that nobody has taken when the last promise goes that has it is reported once as `unhandled-failure`,
///   with its way (see `failureTrail`). Who takes it: `catch` when it calls its handler, `recover` likewise,
///   `flatMapError`, `mapError` (whose own is another one), `whenComplete`, `await`, `wait`, `current`, and those who
///   gather several, which answer for their own; not `tap`, `ensure`, `get`, `done` and the rest, which only pass it
///   on. `ignoringFailure()` says that nobody need. Cancellations are no failures.
///
/// - Complexity: a link is one object; adding it is O(1), and so is telling it.
public struct Promise<Success: Sendable, Failure: Error>: Sendable {
  @usableFromInline let storage: PromiseStorage<Success, Failure>

  @usableFromInline
  init(_ storage: PromiseStorage<Success, Failure>) { self.storage = storage }

  var context: PromiseContext { storage.context }

  /// A promise that `executor` settles; it runs at once, here. An error it throws fails the promise
  /// unless it has been resolved.
  ///
  /// - Parameters:
  ///   - placement: where the handlers of the chain that begins here run; nil for what the scope says, or
  ///     the handler that runs.
  ///   - runtime: where time and threads come from; nil likewise.
  ///   - cancellation: cancels the promise, and with it whatever of its chain is pending.
  ///   - unused: what becomes of it when its last listener is cancelled.
  @inlinable
  public init(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    until cancellation: Cancellation? = nil, unused: UnusedPromise = .goesOn,
    file: StaticString = #fileID, line: UInt = #line,
    _ executor: (Resolver) throws(Failure) -> Void
  ) {
    self.init(
      .make(placement, runtime, cancellation: cancellation), unused, Site(file, line), executor)
  }

  @inlinable
  init(
    _ context: ContextReference, _ unused: UnusedPromise, _ site: Site,
    _ executor: (Resolver) throws(Failure) -> Void
  ) {
    let root = RootStorage<Success, Failure>(context, site, unused: unused)
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

  /// A promise and the one who settles it; parameters as for `init`.
  @inlinable
  public static func withResolvers(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    until cancellation: Cancellation? = nil, unused: UnusedPromise = .goesOn,
    file: StaticString = #fileID, line: UInt = #line
  ) -> (promise: Promise, resolver: Resolver) {
    let root = RootStorage<Success, Failure>(
      .make(placement, runtime, cancellation: cancellation), Site(file, line), unused: unused)
    root.beginChain()
    return (Promise(root), Resolver(root))
  }

  /// A promise that is settled.
  @inlinable
  public init(
    _ result: Result<Success, Failure>, on placement: Placement? = nil,
    runtime: (any Runtime)? = nil, file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(PromiseStorage(result, .make(placement, runtime), Site(file, line)))
  }

  /// A promise that is fulfilled with `value`.
  @inlinable
  public static func fulfilled(
    _ value: Success, on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Promise(PromiseStorage(.success(value), .make(placement, runtime), Site(file, line)))
  }

  /// A promise that is rejected with `error`.
  @inlinable
  public static func rejected(
    _ error: Failure, on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Promise(PromiseStorage(.failure(error), .make(placement, runtime), Site(file, line)))
  }

  /// A promise for what `body` comes to, which runs at once, here.
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

  /// A promise that will never be settled, on purpose. Who listens to it is let go of at once.
  public static func never(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    Promise(
      PromiseStorage(
        .make(placement, runtime), Site(file, line), flags: Flag.gone | Flag.sealed | Flag.claimed))
  }

  /// What came of it, if it is settled. Who reads a failure has taken it.
  public var current: Result<Success, Failure>? {
    let result = storage.currentResult
    if case .failure? = result { storage.answerFailure() }
    return result
  }

  /// Settles it as cancelled, at once, unless it is settled: with a `CancellationError` if `Failure` can be
  /// that, as `any Error` can. If it cannot, nothing can be told to those who listen: then it stays
  /// unsettled, and they are let go of.
  ///
  /// A handler of it that has not begun never will. What it was made from loses a listener: if that was the
  /// last, and the chain was made so that the unused is cancelled, that is cancelled, too; and so on up to
  /// the beginning, where `Resolver.onCancel` tells who works for it.
  ///
  /// - Returns: false if it was settled.
  @discardableResult
  public func cancel() -> Bool { storage.cancel() }

  /// Whether it was cancelled, or failed because of that.
  public var isCancelled: Bool {
    if storage.root().isCancelled { return true }
    if case .failure(is CancellationError)? = storage.currentResult { return true }
    return false
  }
}
