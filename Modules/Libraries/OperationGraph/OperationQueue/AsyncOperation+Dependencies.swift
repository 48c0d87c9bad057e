extension AsyncOperation {
  /// What an operation needs of one that it depends on.
  public enum Requirement: Sendable {
    /// That it has succeeded: otherwise it does not run.
    case success
    /// That it has ended, however that was; this is how it is with Foundation's.
    case end
  }

  /// What it depends on; nothing once it has ended.
  public var dependencies: [AsyncOperation] { state.withLock { $0.allDependencies } }

  /// Makes it wait for another operation, which may be in another queue, or in none yet.
  ///
  /// Also while it is in a queue, as long as it has not begun. A second time it adds nothing, but that the
  /// success is needed if either asked for it.
  ///
  /// - Parameter requirement: what it needs of the other.
  /// - Throws: ``AsyncOperationError/cycle(_:)`` if they would wait for each other;
  ///   ``AsyncOperationError/tooLate(_:)`` if it has begun. Nothing has changed then.
  /// - Complexity: O(1) as long as nothing depends on it; else O(what the other one depends on, and so on).
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
    // Looked for once both know of it: of two that would close a circle at once, one sees it. For one that
    // nobody waits for there is nothing to look for.
    guard state.withLock({ $0.hasDependents }), let cycle = path(from: other) else { return }
    removeDependency(other)
    throw .cycle([name] + cycle)
  }

  /// Makes it not wait for another operation any more; it may start at once then.
  public func removeDependency(_ other: AsyncOperation) {
    if state.withLock({ $0.removeDependency(on: other) }) { evaluate() }
  }

  /// The names along dependencies from `other` to this one, if there is such a way.
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
