internal import AsyncRuntime

extension AsyncOperation {
  /// The condition on a dependency under which an operation runs.
  public enum Requirement: Sendable {
    /// The dependency must have succeeded; otherwise the operation does not run.
    case success
    /// The dependency must have ended, in any way. Foundation's dependencies work like this.
    case end
  }

  /// The operations on which this one depends and that have not ended.
  public var dependencies: [AsyncOperation] { state.withLock { $0.unfinishedDependencies } }

  /// Makes the operation wait for another one. The other operation may be in another queue, or not
  /// in a queue yet.
  ///
  /// The call is possible until the operation starts, even while it is in a queue. Adding the same
  /// dependency again has no effect, except that success is required if either call asked for it.
  ///
  /// - Parameter requirement: what the operation requires of the other one.
  /// - Throws: an ``OperationCycle`` if the operations would wait for each other; a ``LateDependency`` if this operation
  ///   has started or ended. Nothing has changed then.
  /// - Complexity: O(1) as long as nothing depends on this operation; otherwise O(operations on
  ///   which the other one depends, directly or indirectly).
  public func addDependency(
    _ other: AsyncOperation, requires requirement: Requirement = .success
  ) throws {
    guard let isNew = state.withLock({ $0.addDependency(on: other, requirement) }) else {
      throw LateDependency(successor: name, predecessor: other.name)
    }
    guard isNew else { return }
    let ending = other.state.withLock { state in
      state.hasDependents = true
      return state.observe { [weak self] other, ending in
        LaneContext.current.perform { self?.update { $0.dependencyEnded(other, ending) } }
      }
    }
    if let ending {
      update { $0.dependencyEnded(other, ending) }
    } else if state.withLock({ $0.hasDependents }), let cycle = cycle(through: other) {
      // The search comes after both operations record the dependency. If two threads close a cycle at the same time, one
      // of them sees it. If nothing depends on this operation, there can be no cycle.
      removeDependency(other)
      throw cycle
    }
  }

  /// Removes a dependency, so that the operation no longer waits for the other one. It may then
  /// start immediately. If the other operation has ended, its outcome still counts.
  public func removeDependency(_ other: AsyncOperation) {
    update { $0.removeDependency(on: other) }
  }

  /// The cycle along the dependencies from `other` to this operation; nil if there is none.
  private func cycle(through other: AsyncOperation) -> OperationCycle? {
    // For each operation that was found, the one that waits for it.
    var successors = [other: self]
    var left = [other]
    while successors[self] == nil, let next = left.popLast() {
      for dependency in next.dependencies where successors[dependency] == nil {
        successors[dependency] = next
        left.append(dependency)
      }
    }
    var labels: [String] = []
    var step = successors[self]
    while let current = step, current != self {
      labels.append(current.name)
      step = successors[current]
    }
    return step == nil ? nil : OperationCycle([name] + labels.reversed())
  }
}
