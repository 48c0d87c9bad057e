import AsyncRuntime

extension Promise {
  /// A promise that is settled in the same way as this one. If that takes longer than `limit`, it fails with `error`.
  ///
  /// If this promise is settled first, the timer is released. If the timeout comes first, this
  /// promise loses a handler. If that was its last handler and its chain has `whenUnused: .cancel`,
  /// it is cancelled.
  ///
  /// - Parameter limit: a negative limit counts as zero. A promise that is already settled is in time.
  public func timeout(
    _ limit: Duration, orError error: @escaping @autoclosure @Sendable () -> Failure,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    timeout(limit, Site(file, line)) { .failure(error()) }
  }

  /// A promise for the value of this one, or for nil if that takes longer than `limit`. Otherwise it works like
  /// `timeout(_:orError:)`.
  public func timeoutOrNil(
    _ limit: Duration, file: StaticString = #fileID, line: UInt = #line
  ) -> Promise<Success?, Failure> {
    map(on: .inline, file: file, line: line) { .some($0) }
      .timeout(limit, Site(file, line)) { .success(nil) }
  }

  fileprivate func timeout(
    _ limit: Duration, _ site: Site,
    otherwise late: @escaping @Sendable () -> Result<Success, Failure>
  ) -> Promise {
    if storage.root().isSettled { return self }
    let timer = Promise<Void, Never>.after(
      limit, in: context.unbound.untraced, .cancel, site)
    let result = Gathering.promise(
      of: [storage, timer.storage], by: TimeoutRule(promise: self, late: late), in: context,
      site, cancelsUnused: storage.cancelsUnused)
    result.storage.watchCancellation()
    return result
  }
}

extension Promise where Failure == any Error {
  /// A promise that is settled in the same way as this one. If that takes longer than `limit`, it fails with
  /// `TimedOut`. Otherwise it works like `timeout(_:orError:)`.
  public func timeout(
    _ limit: Duration, file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    let site = Site(file, line)
    return timeout(limit, site) {
      .failure(TimedOut("promise", after: limit, site: site.description))
    }
  }
}

private struct TimeoutRule<Success: Sendable, Failure: Error>: GatheringRule {
  let promise: Promise<Success, Failure>
  let late: @Sendable () -> Result<Success, Failure>

  func outcome(of index: Int, hasFailed: Bool, isLast: Bool) -> Result<Success, Failure>? {
    index == 0 ? promise.storage.currentResult : late()
  }
}
