extension AsyncOperation {
  /// The condition on a dependency under which an operation runs.
  public enum Requirement: Sendable {
    /// The dependency must have succeeded; otherwise the operation does not run.
    case success
    /// The dependency must have ended, in any way. Foundation's dependencies work like this.
    case end
  }

  /// The operations on which this one depends; empty once this one has ended.
  public var dependencies: [AsyncOperation] { state.withLock { $0.allDependencies } }

  /// Makes the operation wait for another one. The other operation may be in another queue, or not
  /// in a queue yet.
  ///
  /// The call is possible until the operation starts, even while it is in a queue. Adding the same
  /// dependency again has no effect, except that success is required if either call asked for it.
  ///
  /// - Parameter requirement: what the operation requires of the other one.
  /// - Throws: ``AsyncOperationError/cycle(_:)`` if the operations would wait for each other;
  ///   ``AsyncOperationError/tooLate(_:)`` if this operation has started or ended. Nothing has changed then.
  /// - Complexity: O(1) as long as nothing depends on this operation; otherwise O(operations on
  ///   which the other one depends, directly or indirectly).
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
    // Search for a cycle only after both operations record the dependency. If two threads close a cycle at the same
    // time, one of them sees it. If nothing depends on this operation, there can be no cycle.
    guard state.withLock({ $0.hasDependents }), let cycle = path(from: other) else { return }
    removeDependency(other)
    throw .cycle([name] + cycle)
  }

  /// Removes a dependency, so that the operation no longer waits for the other one. It may then
  /// start immediately.
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
