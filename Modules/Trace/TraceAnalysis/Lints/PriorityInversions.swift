/// A step that waited for a step of lower priority. The awaited step was ready, but a step with a priority between the
/// two started first.
struct PriorityInversion {
  let step: Int
  let priority: Priorities.Priority
  let awaited: Int
  let awaitedPriority: Priorities.Priority
  /// The step that started first, while the awaited step was ready.
  let preferred: Int
  /// How long the awaited step was ready before it started.
  let wait: Int64
}

extension SpanTable {
  /// The inversions in the order in which their patterns were submitted, at most one for each step that waited.
  ///
  /// - Complexity: O(n log n) in the number of steps, and O(n³) in the number of steps of a pattern with priorities.
  ///   Patterns with more than 2000 started steps are skipped.
  var priorityInversions: [PriorityInversion] {
    guard !priorities.given.isEmpty else { return [] }
    var predecessors: [Int: [Int]] = [:]
    for edge in edges where edge.kind == .dependency {
      predecessors[edge.to, default: []].append(edge.from)
    }
    return priorities.given.sorted { $0.key < $1.key }.flatMap { pattern, given in
      inversions(in: pattern, given, predecessors)
    }
  }

  private func inversions(
    in pattern: Int, _ given: [String: Priorities.Priority], _ predecessors: [Int: [Int]]
  ) -> [PriorityInversion] {
    var steps = parts(of: pattern).filter { hasStarted($0) }
    // With more steps, comparing every pair takes too long.
    guard steps.count <= 2000 else { return [] }
    steps.sort { startPosition(of: $0) < startPosition(of: $1) }
    func priority(_ step: Int) -> Priorities.Priority { given[label(of: step)] ?? .normal }
    var result: [PriorityInversion] = []
    for step in steps where given[label(of: step)] != nil && priority(step) > .low {
      // All steps it waited for, directly or indirectly.
      var awaited: Set<Int> = []
      var pending = predecessors[step] ?? []
      while let next = pending.popLast() {
        if awaited.insert(next).inserted { pending += predecessors[next] ?? [] }
      }
      for other in awaited.sorted() where priority(other) < priority(step) {
        guard let started = startTime(of: other) else { continue }
        let freed = (predecessors[other] ?? []).compactMap { finishTime(of: $0) }.max()
        let ready = max(submitTime(of: other), freed ?? .min)
        guard ready < started,
          let preferred = steps.first(where: {
            (startTime(of: $0) ?? .min) >= ready
              && startPosition(of: $0) < startPosition(of: other)
              && priority($0) < priority(step) && priority($0) > priority(other)
              && !awaited.contains($0)
          })
        else { continue }
        result.append(
          PriorityInversion(
            step: step, priority: priority(step), awaited: other,
            awaitedPriority: priority(other), preferred: preferred, wait: started - ready))
        break
      }
    }
    return result
  }
}
