extension Promise {
  /// A promise that is settled in the same way as the first of `promises` that is settled. If
  /// several are already settled, the first one in order counts. If there are no promises, it is
  /// never settled.
  ///
  /// Handlers of the new promise run where those of the first element of `promises` do. When one
  /// promise is settled, or the new promise is cancelled, each of the others loses a handler. If
  /// that was its last handler and its chain has `whenUnused: .cancel`, it is cancelled.
  ///
  /// - Complexity: O(*n*); one object for each pending promise.
  public static func race(
    _ promises: some Sequence<Promise>, file: StaticString = #fileID, line: UInt = #line
  ) -> Promise {
    let promises = Array(promises)
    guard let first = promises.first else { return .never(file: file, line: line) }
    return Gathering.promise(
      of: promises.map(\.storage), by: RaceRule(promises: promises), in: first.context.unbound,
      Site(file, line))
  }
}

private struct RaceRule<Success: Sendable, Failure: Error>: GatheringRule {
  let promises: [Promise<Success, Failure>]

  func outcome(of index: Int, hasFailed: Bool, isLast: Bool) -> Result<Success, Failure>? {
    promises[index].storage.currentResult
  }
}
