public import AsyncRuntime

extension Promise where Success == Void {
  /// A promise that is fulfilled once `delay` has passed.
  ///
  /// When it is cancelled, its timer is released.
  ///
  /// - Parameters:
  ///   - delay: a negative delay counts as zero.
  ///   - placement: where the timer and the handlers of the new chain run. Together they cost one
  ///     hop. The timer of an inline chain runs on the pool.
  ///   - cancellation: cancels the promise.
  ///   - whenUnused: what happens to the promise when its last handler is cancelled.
  public static func after(
    _ delay: Duration, on placement: Placement? = nil, runtime: (any Runtime)? = nil,
    cancellation: Cancellation? = nil, whenUnused: UnusedPolicy = .keep,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    after(
      delay, in: .make(placement, runtime, cancellation: cancellation), whenUnused, Site(file, line)
    )
  }

  static func after(
    _ delay: Duration, in context: PromiseContext, _ whenUnused: UnusedPolicy, _ site: Site
  ) -> Promise {
    let root = RootStorage<Void, Failure>(ContextReference(context), site, whenUnused: whenUnused)
    root.beginChain(waitingFor: "its timer") {
      let timer = context.schedule(after: delay) { _ = root.settle(.success(())) }
      root.onCancel { timer.cancel() }
    }
    return Promise(root)
  }
}

extension Promise {
  /// Passes the value on once `delay` has passed since the promise was fulfilled. A failure is passed on immediately.
  ///
  /// When the new promise is cancelled, its timer is released.
  public func delay(
    _ delay: Duration, file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    let (context, site) = (context, Site(file, line))
    return link(on: .inline, .success, site) { result, next in
      guard case .success(let value) = result else {
        next.settle(result)
        return
      }
      let timer = Promise<Void, Failure>.after(delay, in: context.untraced, .cancel, site)
      next.adopt(timer.map(on: .inline) { value }.storage)
    }
  }
}

extension PromiseContext {
  /// Runs `body` as a handler of the chain once `delay` has passed.
  func schedule(
    after delay: Duration, _ body: @escaping @Sendable () -> Void
  ) -> any Cancellable {
    scheduler.schedule(after: delay) { self.enter(body) }
  }
}
