import AsyncRuntime

extension Promise {
  /// The right to settle a promise, once.
  ///
  /// A resolver can be copied and called on any thread; the first call counts. If the last copy is
  /// released without a call, this is reported, with the place where the promise was made. The
  /// promise then fails with `ResolverDropped`, if its `Failure` can be that error, as `any Error`
  /// can. Otherwise the promise stays unsettled, and its handlers are released without being
  /// called.
  public struct Resolver: Sendable {
    @usableFromInline let token: ResolverToken

    @inlinable
    init(_ storage: RootStorage<Success, Failure>) { token = ResolverToken(storage) }

    @inlinable var storage: RootStorage<Success, Failure> {
      unsafeDowncast(token.node, to: RootStorage<Success, Failure>.self)
    }

    /// Settles the promise. A second call has no effect and is reported as `completed-twice`. A call after the promise
    /// was cancelled is not reported.
    @inlinable
    public func resolve(_ result: Result<Success, Failure>) {
      if !tryResolve(result) { token.reportSecondCall() }
    }

    /// Settles the promise with a value. A second call has no effect and is reported.
    @inlinable
    public func fulfill(_ value: Success) { resolve(.success(value)) }

    /// Settles the promise with an error. A second call has no effect and is reported.
    @inlinable
    public func reject(_ error: Failure) { resolve(.failure(error)) }

    /// Settles the promise, unless a call has already settled it.
    ///
    /// - Returns: whether this call settled it.
    @inlinable
    @discardableResult
    public func tryResolve(_ result: Result<Success, Failure>) -> Bool {
      let storage = storage
      guard storage.claimAndSeal() else { return false }
      storage.conclude(result)
      return true
    }

    /// Settles the promise in the same way as `other`, as soon as `other` is settled. After this call, no other call
    /// can settle the promise. A second call has no effect and is reported.
    ///
    /// This call can make the promise wait for itself, directly or through other promises. Then it fails with
    /// `PromiseCycle` if its `Failure` can be that error. Otherwise the cycle is reported, and the handlers are
    /// released without being called.
    public func resolve(with other: Promise) {
      if !tryResolve(with: other) { token.reportSecondCall() }
    }

    /// Settles the promise in the same way as `other`, unless it has already been settled or resolved with another
    /// promise.
    ///
    /// - Returns: whether this call resolved it.
    @discardableResult
    public func tryResolve(with other: Promise) -> Bool {
      guard storage.claim() else { return false }
      storage.adopt(other.storage)
      return true
    }

    /// Settles the promise in the same way as an object of another library, see `Thenable`. A second call has no
    /// effect, does not call `other`, and is reported.
    public func resolve(with other: some Thenable<Success, Failure>) {
      if let promise = other as? Promise { return resolve(with: promise) }
      let storage = storage
      guard storage.claim() else { return token.reportSecondCall() }
      storage.adopt(
        Promise(other, in: storage.contextReference.retained(), storage.site).storage)
    }

    /// Calls `handler` once if the promise is cancelled, or immediately if it has already been cancelled. `handler`
    /// runs on the thread that cancels.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) {
      storage.onCancel(handler)
    }

    /// Whether the promise was cancelled, so that its result is no longer needed.
    public var isCancelled: Bool { storage.isCancelled }
  }
}

extension Promise.Resolver where Success == Void {
  /// Settles the promise. A second call has no effect and is reported.
  public func fulfill() { fulfill(()) }
}

/// The state that all copies of a resolver share. It is released together with the last copy.
@usableFromInline
final class ResolverToken: Sendable {
  @usableFromInline let node: PromiseNode

  @usableFromInline
  init(_ node: PromiseNode) { self.node = node }

  deinit {
    // After a cancellation, releasing the resolver without a call is not an error.
    guard !node.isClaimed, node.claim() else { return }
    let (node, dropped) = (node, ResolverDropped(site: node.site.description))
    LateReport.misuse(
      "completion-dropped", of: LaneContext.current.span, on: node.context.runtime
    ) {
      dropped.description
    } then: {
      if node.seal(), !node.finish(with: dropped) { node.abandon() }
    }
  }

  @usableFromInline
  func reportSecondCall() {
    guard !node.isCancelled else { return }
    node.context.runtime.misuse(
      "completed-twice",
      "the promise made at \(node.site) was resolved again; the second call was ignored: resolve it only once",
      of: LaneContext.current.span)
  }
}

/// The error if the last copy of a promise's resolver was released without a call.
public struct ResolverDropped: Error, CustomStringConvertible {
  /// The place where the promise was made, as “file:line”.
  public let site: String

  public var description: String {
    "the promise made at \(site) was released unresolved; resolve it on every path"
  }
}
