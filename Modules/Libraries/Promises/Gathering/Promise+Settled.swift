extension Promise where Failure == Never {
  /// A promise for the results of all `promises`, in their order, once all of them are settled.
  ///
  /// Handlers of the new promise run where those of the first of `promises` do. When the new
  /// promise is cancelled, each of `promises` loses a handler. If that was its last handler and its
  /// chain has `whenUnused: .cancel`, it is cancelled.
  ///
  /// - Complexity: O(*n*); one object for each pending promise.
  public static func settled<Element: Sendable, Cause: Error>(
    _ promises: some Sequence<Promise<Element, Cause>>, file: StaticString = #fileID,
    line: UInt = #line
  ) -> Promise where Success == [Result<Element, Cause>] {
    let promises = Array(promises)
    guard let first = promises.first else { return .fulfilled([], file: file, line: line) }
    return Gathering.promise(
      of: promises.map(\.storage), by: SettledRule(promises: promises),
      in: first.context.unbound, Site(file, line))
  }
}

private struct SettledRule<Element: Sendable, Cause: Error>: GatheringRule {
  let promises: [Promise<Element, Cause>]

  static var concern: PromiseNode.Wants { [] }

  func outcome(
    of index: Int, hasFailed: Bool, isLast: Bool
  ) -> Result<[Result<Element, Cause>], Never>? {
    isLast ? .success(promises.compactMap(\.storage.currentResult)) : nil
  }
}
