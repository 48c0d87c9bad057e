extension AsyncOperation {
  /// What an operation requires of an operation that it depends on.
  public enum Requirement: Sendable {
    /// The dependency must have succeeded; otherwise the operation does not run.
    case success
    /// The dependency must have ended, in any way. Foundation's dependencies work like this.
    case end
  }

  /// The operations that it depends on; empty once it has ended.
  public var dependencies: [AsyncOperation] { state.withLock { $0.allDependencies } }

  /// Makes it wait for another operation, which may be in another queue, or not in a queue yet.
  ///
  /// This is also possible while it is in a queue, as long as it has not started. Adding the same dependency again has
  /// no effect, except that success is required if either call asked for it.
  ///
  /// - Parameter requirement: what it requires of the other operation.
  /// - Throws: ``AsyncOperationError/cycle(_:)`` if they would wait for each other; ``AsyncOperationError/tooLate(_:)``
  ///   if it has started. Nothing has changed then.
  /// - Complexity: O(1) as long as nothing depends on it; otherwise O(operations that the other one depends on,
  ///   directly or indirectly).
  public func addDependency(
    _ other: AsyncOperation, requires requirement: Requirement = .success
  ) throws(AsyncOperationError) {
    guard let isNew = state.withLock({ $0.addDependency(on: other, requirement) }) else {
      throw .tooLate(name)
    }
    guard isNew else { return }
    if let outcome = other.state.withLock({ $0.addDependent(self) }) {
      return dependencyFinished(other, outcome)
    }
    // Searched only after both operations record the dependency. If two threads close a cycle at the same time, one of
    // them sees it. If nothing depends on this operation, there can be no cycle.
    guard state.withLock({ $0.hasDependents }), let cycle = path(from: other) else { return }
    removeDependency(other)
    throw .cycle([name] + cycle)
  }

  /// Removes a dependency, so that it no longer waits for the other operation. It may then start immediately.
  public func removeDependency(_ other: AsyncOperation) {
    if state.withLock({ $0.removeDependency(on: other) }) { evaluate() }
  }

  /// The names along the dependencies from `other` to this operation; nil if there is no such path.
  private func path(from other: AsyncOperation) -> [String]? {
    var cameFrom: [ObjectIdentifier: AsyncOperation] = [:]
    var visited: Set<ObjectIdentifier> = [ObjectIdentifier(other)]
    var left = [other]
    while let next = left.popLast() {
      if next === self {
        var names = [name]
        var step = next
        while let before = cameFrom[ObjectIdentifier(step)] {
          names.append(before.name)
          step = before
        }
        return names.reversed()
      }
      for dependency in next.state.withLock({ $0.unfinishedDependencies })
      where visited.insert(ObjectIdentifier(dependency)).inserted {
        cameFrom[ObjectIdentifier(dependency)] = next
        left.append(dependency)
      }
    }
    return nil
  }
}
