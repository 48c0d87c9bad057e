extension Promise {
  /// A promise that is settled as whichever of `promises` is first; of several that are settled by now, as the
  /// first in order. Of none, it never is.
  ///
  /// Handlers of the new promise run where the first one's do. When one is settled, or the new promise is
  /// cancelled, the others have a listener less: who asked for that is cancelled.
  ///
  /// - Complexity: O(*n*), one object for each that is pending.
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
