import AsyncRuntime

extension Promise {
  /// The right to settle a promise, once.
  ///
  /// It may be copied and called from anywhere; the first call counts. When the last copy goes unused,
  /// that is reported with the place where the promise was made, and the promise fails with
  /// `ResolverDropped` if its `Failure` can be that error, as `any Error` can; otherwise it stays
  /// unsettled, and who listens is let go of.
  public struct Resolver: Sendable {
    @usableFromInline let token: ResolverToken

    @inlinable
    init(_ storage: RootStorage<Success, Failure>) { token = ResolverToken(storage) }

    @inlinable var storage: RootStorage<Success, Failure> {
      unsafeDowncast(token.node, to: RootStorage<Success, Failure>.self)
    }

    /// Settles the promise. A second call has no effect and is reported as `completed-twice`; not so one
    /// that comes after the promise was cancelled.
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

    /// Settles the promise unless that has been done.
    ///
    /// - Returns: whether this call did it.
    @inlinable
    @discardableResult
    public func tryResolve(_ result: Result<Success, Failure>) -> Bool {
      let storage = storage
      guard storage.claimAndSeal() else { return false }
      storage.conclude(result)
      return true
    }

    /// Settles the promise as `other` will be, whenever that is. From now on any other call comes too
    /// late; a second call has no effect and is reported.
    ///
    /// If that makes it wait for itself, however many promises lie between, it fails with `PromiseCycle`
    /// if its `Failure` can be that error; otherwise that is reported, and who listens is let go of.
    public func resolve(with other: Promise) {
      if !tryResolve(with: other) { token.reportSecondCall() }
    }

    /// Settles the promise as `other` will be, unless it has been settled.
    ///
    /// - Returns: whether this call did it.
    @discardableResult
    public func tryResolve(with other: Promise) -> Bool {
      guard storage.claim() else { return false }
      storage.adopt(other.storage)
      return true
    }

    /// Settles the promise as something of another library will be, see `Thenable`. A second call has no effect, does not
    /// call `other`, and is reported.
    public func resolve(with other: some Thenable<Success, Failure>) {
      if let promise = other as? Promise { return resolve(with: promise) }
      let storage = storage
      guard storage.claim() else { return token.reportSecondCall() }
      storage.adopt(
        Promise(other, in: storage.contextReference.retained(), storage.site).storage)
    }

    /// Calls `handler` once if the promise is cancelled, at once if it has been; on the thread that
    /// cancels.
    public func onCancel(_ handler: @escaping @Sendable () -> Void) {
      storage.onCancel(handler)
    }

    /// Whether the promise was cancelled: nobody waits for what is being worked on.
    public var isCancelled: Bool { storage.isCancelled }
  }
}

extension Promise.Resolver where Success == Void {
  /// Settles the promise. A second call has no effect and is reported.
  public func fulfill() { fulfill(()) }
}

/// What the copies of a resolver have in common.
@usableFromInline
final class ResolverToken: Sendable {
  @usableFromInline let node: PromiseNode

  @usableFromInline
  init(_ node: PromiseNode) { self.node = node }

  deinit {
    // Who has been cancelled may let go of it.
    guard !node.isClaimed, node.claim() else { return }
    let (node, dropped) = (node, ResolverDropped(site: node.site.description))
    LateReport.misuse(
      "completion-dropped", of: LaneContext.current.span, on: node.context.runtime
    ) {
      dropped.description
    } then: {
      if node.seal(), !node.finish(with: dropped) { node.letGo() }
    }
  }

  @usableFromInline
  func reportSecondCall() {
    guard !node.isCancelled else { return }
    node.context.runtime.misuse(
      "completed-twice",
      "the promise made at \(node.site) was resolved again; the second call was dropped",
      of: LaneContext.current.span)
  }
}

/// The last copy of a promise's resolver went unused.
public struct ResolverDropped: Error, CustomStringConvertible {
  /// Where the promise was made, as “file:line”.
  public let site: String

  public var description: String {
    "the promise made at \(site) was let go of unresolved; resolve it on every path"
  }
}
