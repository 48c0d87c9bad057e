extension Promise {
  /// A promise for the values of all `promises`, in their order, once all of them are settled. If some have failed, it
  /// fails with the error of the first one in order. So no promise is still pending when the new one is settled.
  ///
  /// Handlers of the new promise run where those of the first of `promises` do.
  ///
  /// - Complexity: O(*n*); one object for each pending promise.
  public static func join<Element: Sendable>(
    _ promises: some Sequence<Promise<Element, Failure>>, file: StaticString = #fileID,
    line: UInt = #line
  ) -> Promise where Success == [Element] {
    let promises = Array(promises)
    guard let first = promises.first else { return .fulfilled([], file: file, line: line) }
    return Gathering.promise(
      of: promises.map(\.storage), by: JoinRule(promises: promises), in: first.context.unbound,
      Site(file, line))
  }
}

private struct JoinRule<Element: Sendable, Failure: Error>: GatheringRule {
  let promises: [Promise<Element, Failure>]

  static var concern: PromiseNode.Wants { [] }

  func outcome(of index: Int, hasFailed: Bool, isLast: Bool) -> Result<[Element], Failure>? {
    guard isLast else { return nil }
    var values: [Element] = []
    values.reserveCapacity(promises.count)
    for promise in promises {
      switch promise.storage.currentResult {
      case .success(let value)?: values.append(value)
      case .failure(let error)?: return .failure(error)
      case nil: return nil
      }
    }
    return .success(values)
  }

  func failing(_ last: PromiseNode) -> PromiseNode {
    promises.lazy.map { $0.storage.root() }.first { $0.hasFailed } ?? last
  }
}
