extension Promise {
  /// A promise for the values of all `promises`, in their order. The first failure fails it immediately.
  ///
  /// Handlers of the new promise run where those of the first of `promises` do. When one promise
  /// fails, or the new promise is cancelled, each of the others loses a handler. If that was its
  /// last handler and its chain has `whenUnused: .cancel`, it is cancelled. If one of `promises` is
  /// never settled and none fails, the new promise is never settled either.
  ///
  /// - Complexity: O(*n*); one object for each pending promise.
  @inlinable
  public static func all<Element: Sendable>(
    _ promises: some Sequence<Promise<Element, Failure>>, file: StaticString = #fileID,
    line: UInt = #line
  ) -> Promise where Success == [Element] {
    let nodes = promises.map { $0.storage as PromiseNode }
    if nodes.isEmpty { return .fulfilled([], file: file, line: line) }
    // Reading and storing the values is cheap here, where their types are known.
    return all(nodes, Site(file, line)) { nodes, result in
      var values: [Element] = []
      values.reserveCapacity(nodes.count)
      for node in nodes {
        let node = node.root()
        if node.hasFailed { return }
        values.append(
          unsafeDowncast(node, to: PromiseStorage<Element, Failure>.self).fulfilledValue)
      }
      result.settle(.success(values))
    }
  }

  /// - Parameter fulfill: called when all nodes are settled. Settles a promise with their values, unless a node has
  ///   failed.
  @usableFromInline
  static func all(
    _ nodes: [PromiseNode], _ site: Site,
    _ fulfill: @escaping @Sendable ([PromiseNode], PromiseStorage<Success, Failure>) -> Void
  ) -> Promise {
    Gathering.promise(
      of: nodes, by: AllRule<Success, Failure>(nodes: nodes, fulfill: fulfill),
      in: nodes[0].context.unbound, site)
  }

  /// A promise for the values of promises of different types. Failure, order and cancellation work as for a sequence.
  ///
  /// ```swift
  /// Promise.all(name, age).map { name, age in "\(name), \(age)" }
  /// ```
  public static func all<First: Sendable, each Element: Sendable>(
    _ first: Promise<First, Failure>, _ promise: repeat Promise<each Element, Failure>,
    file: StaticString = #fileID, line: UInt = #line
  ) -> Promise where Success == (First, repeat each Element) {
    var nodes: [PromiseNode] = [first.storage]
    for promise in repeat each promise { nodes.append(promise.storage) }
    return Gathering.promise(
      of: nodes, by: AllOfTypesRule(first: first, rest: (repeat each promise)),
      in: first.context.unbound, Site(file, line))
  }
}

private struct AllRule<Success: Sendable, Failure: Error>: GatheringRule {
  let nodes: [PromiseNode]
  let fulfill: @Sendable ([PromiseNode], PromiseStorage<Success, Failure>) -> Void

  static var concern: PromiseNode.Wants { .failure }

  func outcome(of index: Int, hasFailed: Bool, isLast: Bool) -> Result<Success, Failure>? {
    hasFailed ? .failure(nodes[index].root().error(Failure.self)) : nil
  }

  func fulfill(_ result: PromiseStorage<Success, Failure>) -> Bool {
    fulfill(nodes, result)
    return true
  }
}

private struct AllOfTypesRule<First: Sendable, Failure: Error, each Element: Sendable>:
  GatheringRule
{
  static var concern: PromiseNode.Wants { .failure }

  let first: Promise<First, Failure>
  let rest: (repeat Promise<each Element, Failure>)

  func outcome(
    of index: Int, hasFailed: Bool, isLast: Bool
  ) -> Result<(First, repeat each Element), Failure>? {
    if hasFailed { return failure(of: index).map { .failure($0) } }
    guard isLast else { return nil }
    do throws(Failure) {
      return .success((try first.settledValue(), repeat try (each rest).settledValue()))
    } catch {
      // A promise has failed. The call of `outcome` for that promise returns the failure.
      return nil
    }
  }

  private func failure(of index: Int) -> Failure? {
    if index == 0 { return first.rejectedError }
    var number = 0
    for promise in repeat each rest {
      number += 1
      if number == index { return promise.rejectedError }
    }
    return nil
  }
}

extension Promise {
  /// The value, if the promise is fulfilled.
  var fulfilledValue: Success? {
    if case .success(let value)? = storage.currentResult { value } else { nil }
  }

  /// The error, if the promise has failed.
  var rejectedError: Failure? {
    if case .failure(let error)? = storage.currentResult { error } else { nil }
  }

  /// The value or the error of a settled promise.
  func settledValue() throws(Failure) -> Success {
    guard let current = storage.currentResult else { preconditionFailure("the promise is settled") }
    return try current.get()
  }
}
