import AsyncRuntime

/// A promise was not settled in time.
public struct TimedOut: Error, CustomStringConvertible {
  /// How long it had.
  public let limit: Duration
  /// Where that was asked, as “file:line”.
  public let site: String

  init(_ limit: Duration, _ site: Site) {
    self.limit = limit
    self.site = site.description
  }

  public var description: String {
    "not settled within \(limit.shortDescription) (asked at \(site))"
  }
}

extension Promise {
  /// Settled as this one, or with `error` if that takes longer than `limit`.
  ///
  /// If this one is settled first the timer is released. If not, this one has a listener less: if it asked
  /// for that, it is cancelled.
  ///
  /// - Parameter limit: below zero counts as none; what is settled by now is in time.
  public func timeout(
    _ limit: Duration, orError error: @escaping @autoclosure @Sendable () -> Failure,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    timeout(limit, Site(file, line)) { .failure(error()) }
  }

  /// The value, or nil if that takes longer than `limit`; as for the rest, `timeout(_:orError:)`.
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
      limit, in: context.unbound.untraced, .isCancelled, site)
    return Gathering.promise(
      of: [storage, timer.storage], by: TimeoutRule(promise: self, late: late), in: context,
      site, cancelsUnused: storage.cancelsUnused)
  }
}

extension Promise where Failure == any Error {
  /// Settled as this one, or with `TimedOut` if that takes longer than `limit`; as for the rest,
  /// `timeout(_:orError:)`.
  public func timeout(
    _ limit: Duration, file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    let site = Site(file, line)
    return timeout(limit, site) { .failure(TimedOut(limit, site)) }
  }
}

private struct TimeoutRule<Success: Sendable, Failure: Error>: GatheringRule {
  let promise: Promise<Success, Failure>
  let late: @Sendable () -> Result<Success, Failure>

  func outcome(of index: Int, hasFailed: Bool, isLast: Bool) -> Result<Success, Failure>? {
    index == 0 ? promise.storage.currentResult : late()
  }
}
