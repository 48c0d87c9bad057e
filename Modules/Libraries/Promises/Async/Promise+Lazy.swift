public import AsyncRuntime

extension Promise {
  /// A promise whose `executor` runs once, on the lane of the code that adds the first handler or calls `start()`.
  /// Until then the promise does no work, and releasing it unsettled is not reported.
  public static func lazy(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    cancellation: Cancellation? = nil, whenUnused: UnusedPolicy = .keep,
    file: StaticString = #fileID, line: UInt = #line,
    _ executor: @escaping @Sendable (Resolver) throws(Failure) -> Void
  ) -> Promise {
    Promise(
      LazyStorage(
        .make(placement, runtime, cancellation: cancellation), Site(file, line),
        whenUnused: whenUnused
      ) { storage in
        let resolver = Resolver(storage)
        do throws(Failure) {
          try executor(resolver)
        } catch {
          resolver.tryResolve(.failure(error))
        }
      })
  }

  /// A promise for the result of an asynchronous function. The function runs once, on the runtime's pool, when the
  /// first handler is added or `start()` is called.
  public static func lazy(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    cancellation: Cancellation? = nil, whenUnused: UnusedPolicy = .keep,
    file: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable () async throws(Failure) -> Success
  ) -> Promise {
    Promise(
      LazyStorage(
        .make(placement, runtime, cancellation: cancellation), Site(file, line),
        whenUnused: whenUnused
      ) { $0.run(body) })
  }

  /// Starts a lazy promise although it has no handler yet.
  @discardableResult
  public func start() -> Promise {
    storage.beginIfLazy()
    return self
  }
}

/// A promise that starts its work when the first handler is added.
private final class LazyStorage<Success: Sendable, Failure: Error>: RootStorage<Success, Failure>,
  @unchecked Sendable
{
  typealias Body = @Sendable (RootStorage<Success, Failure>) -> Void

  // Safe to share: only the code that clears the flag `lazy` takes the body.
  private var body: Body?

  init(
    _ context: ContextReference, _ site: Site, whenUnused: UnusedPolicy, _ body: @escaping Body
  ) {
    self.body = body
    super.init(context, site, whenUnused: whenUnused, flags: Flag.lazy)
  }

  override func begin() {
    let body = body.take()
    if !isSealed, let body { beginChain { body(self) } }
  }
}
