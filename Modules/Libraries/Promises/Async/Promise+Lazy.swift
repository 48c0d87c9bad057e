public import AsyncRuntime

extension Promise {
  /// A promise whose `executor` runs when somebody listens for the first time: on the lane of who does,
  /// once. Until then it costs nothing, and dropping it is nothing to report.
  public static func lazy(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    until cancellation: Cancellation? = nil, unused: UnusedPromise = .goesOn,
    file: StaticString = #fileID, line: UInt = #line,
    _ executor: @escaping @Sendable (Resolver) throws(Failure) -> Void
  ) -> Promise {
    Promise(
      LazyStorage(
        .make(placement, runtime, cancellation: cancellation), Site(file, line), unused: unused
      ) { storage in
        let resolver = Resolver(storage)
        do throws(Failure) {
          try executor(resolver)
        } catch {
          resolver.tryResolve(.failure(error))
        }
      })
  }

  /// A promise for what an asynchronous function comes to, which runs when somebody listens for the first
  /// time: on the runtime's pool, once.
  public static func lazy(
    on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    until cancellation: Cancellation? = nil, unused: UnusedPromise = .goesOn,
    file: StaticString = #fileID, line: UInt = #line,
    _ body: @escaping @Sendable () async throws(Failure) -> Success
  ) -> Promise {
    Promise(
      LazyStorage(
        .make(placement, runtime, cancellation: cancellation), Site(file, line), unused: unused
      ) { $0.run(body) })
  }

  /// Has a lazy promise begin though nobody listens yet.
  @discardableResult
  public func start() -> Promise {
    storage.beginIfLazy()
    return self
  }
}

/// A promise that begins when somebody listens.
private final class LazyStorage<Success: Sendable, Failure: Error>: RootStorage<Success, Failure>,
  @unchecked Sendable
{
  typealias Body = @Sendable (RootStorage<Success, Failure>) -> Void

  // Safe to share: taken by the one who takes the flag `lazy`.
  private var body: Body?

  init(
    _ context: ContextReference, _ site: Site, unused: UnusedPromise, _ body: @escaping Body
  ) {
    self.body = body
    super.init(context, site, unused: unused, flags: Flag.lazy)
  }

  override func begin() {
    let body = body.take()
    if !isSealed, let body { beginChain { body(self) } }
  }
}
