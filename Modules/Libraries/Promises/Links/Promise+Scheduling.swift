public import AsyncRuntime

extension Promise {
  /// The same promise, for a chain whose handlers run at `placement` from here on.
  public func on(
    _ placement: Placement, file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    passed(to: context.moved(to: placement), Site(file, line))
  }

  /// The same promise, for a chain that `cancellation` cancels from here on: what is pending of it is
  /// settled as cancelled at once, and no handler begins any more.
  public func until(
    _ cancellation: Cancellation, file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    let next = passed(to: context.until(cancellation), Site(file, line))
    next.storage.watchCancellation()
    return next
  }

  private func passed(to context: PromiseContext, _ site: Site) -> Promise {
    let next = PromiseStorage<Success, Failure>(of: storage, context, site)
    storage.add(next)
    return next.promise
  }
}

extension PromiseStorage {
  fileprivate var promise: Promise<Success, Failure> { Promise(self) }

  /// One that will be settled as `source` is, in another context.
  fileprivate convenience init(of source: PromiseStorage, _ context: PromiseContext, _ site: Site) {
    self.init(of: source, ContextReference(context), at: nil, [], site) { source, node in
      node.take(from: source)
    }
  }
}

/// Runs `body`; promises that are made in it begin chains whose handlers run at `placement`, unless they say
/// otherwise.
///
/// It holds on the calling thread until `body` returns, and for what the handlers of such a chain make, whenever
/// they run.
///
/// - Parameters:
///   - placement: nil leaves what there was.
///   - runtime: where time and threads come from; nil leaves what there was.
///   - isTraced: whether the trace of the runtime records the chains. Pass false if other code records them; nil leaves
///     what there was.
public func withPromiseDefaults<Result, Failure: Error>(
  on placement: Placement? = nil, runtime: (any Runtime)? = nil, isTraced: Bool? = nil,
  _ body: () throws(Failure) -> Result
) throws(Failure) -> Result {
  let context = PromiseContext.make(placement, runtime, isTraced: isTraced)
  let lane = LaneContext.current
  let outer = lane.chains.pointee.handler
  lane.chains.pointee.handler = UnsafeRawPointer(Unmanaged.passUnretained(context).toOpaque())
  defer {
    lane.chains.pointee.handler = outer
    withExtendedLifetime(context) {}
  }
  return try body()
}
