import AsyncPatterns

extension Promise {
  /// A promise for the values of all `promises`, in their order; the first failure fails it at once.
  ///
  /// Handlers of the new promise run where the first one's do.
  ///
  /// - Complexity: O(n)
  public static func all<Element: Sendable>(
    _ promises: some Sequence<Promise<Element, Failure>>, file: StaticString = #fileID,
    line: UInt = #line
  ) -> Promise where Success == [Element] {
    let promises = Array(promises)
    guard let first = promises.first else { return .fulfilled([]) }
    let next = PromiseStorage<Success, Failure>(first.context, Site(file, line))
    let gathering = Locked(Gathering<Element>(promises.count))
    for (index, promise) in promises.enumerated() {
      promise.whenComplete(on: .inline) { result in
        switch result {
        case .success(let value):
          if let values = gathering.withLock({ $0.add(value, at: index) }) {
            next.settle(.success(values))
          }
        case .failure(let error):
          next.settle(.failure(error))
        }
      }
    }
    return Promise(next)
  }
}

/// Values that come in any order.
private struct Gathering<Element: Sendable>: Sendable {
  private var values: [Element?]
  private var missing: Int

  init(_ count: Int) {
    values = Array(repeating: nil, count: count)
    missing = count
  }

  /// - Returns: all of them, if this was the last.
  mutating func add(_ value: Element, at index: Int) -> [Element]? {
    values[index] = value
    missing -= 1
    return missing == 0 ? values.compactMap(\.self) : nil
  }
}
