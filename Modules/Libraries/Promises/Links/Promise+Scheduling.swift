public import AsyncRuntime

extension Promise {
  /// The same promise, but from here on the handlers of the chain run at `placement`.
  public func on(
    _ placement: Placement, file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    passed(to: context.moved(to: placement), Site(file, line))
  }

  /// The same promise, but from here on `cancellation` cancels the chain. Once `cancellation` is cancelled, no more
  /// handlers of that part of the chain start, and every pending promise of it is cancelled. A promise whose handler is
  /// already scheduled is cancelled when the handler's turn comes. A promise whose handler runs is settled by that
  /// handler.
  public func until(
    _ cancellation: Cancellation, file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    let next = passed(to: context.until(cancellation), Site(file, line))
    next.storage.watchCancellation()
    return next
  }

  private func passed(to context: PromiseContext, _ site: Site) -> Promise {
    let next = PassedStorage<Success, Failure>(of: storage, ContextReference(context), [], site)
    storage.add(next)
    return Promise(next)
  }
}

/// The storage of a promise that is settled in the same way as its source, and belongs to another context.
private final class PassedStorage<Success: Sendable, Failure: Error>: PromiseStorage<
  Success, Failure
>, @unchecked Sendable
{
  // Safe to share: it adds no state.
  override func runStep(after source: PromiseNode) { take(from: source) }
}

/// Runs `body` with other defaults for new promises. Promises made in `body` start chains whose handlers run at
/// `placement`, unless the promises themselves set another placement.
///
/// The defaults apply on the calling thread until `body` returns. They also apply to promises that the handlers of such
/// a chain make, whenever those handlers run.
///
/// - Parameters:
///   - placement: nil keeps the current default.
///   - runtime: the source of time and threads; nil keeps the current default.
///   - isTraced: whether the trace of the runtime records the chains. Pass false if other code records them; nil keeps
///     the current default.
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
