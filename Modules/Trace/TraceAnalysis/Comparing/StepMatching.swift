/// The steps of one side of a comparison, each with its times in every run.
struct ComparedSteps {
  /// A start of a step: the path of the step, and the number of the start, from 0.
  struct Key: Hashable {
    var path: String
    var start: Int
  }

  struct Times {
    var started: [Int64] = []
    var duration: [Int64] = []
    var wait: [Int64] = []
  }

  private(set) var order: [Key] = []
  private(set) var times: [Key: Times] = [:]

  /// - Complexity: O(n) in the number of steps of all runs.
  init(_ runs: [RunRecord]) {
    for run in runs {
      var starts: [String: Int] = [:]
      for step in run.steps {
        let key = Key(path: step.path, start: starts[step.path, default: 0])
        starts[step.path] = key.start + 1
        if times[key] == nil { order.append(key) }
        // A step that never started has no times, but it is still a step of the run.
        if let started = step.started {
          times[key, default: Times()].started.append(started)
          times[key, default: Times()].wait.append(started.subtractingClamped(step.submitted))
        }
        if let duration = step.duration { times[key, default: Times()].duration.append(duration) }
        if times[key] == nil { times[key] = Times() }
      }
    }
  }
}

/// Matches the steps of two sides by label path.
///
/// Equal paths match. Two remaining paths match if one contains the labels of the other in their order, with the same
/// last label. So `job/fetch` matches `fetch`. If a path has several such candidates, it stays unmatched.
struct StepMatching {
  private(set) var pairs: [(first: ComparedSteps.Key, second: ComparedSteps.Key)] = []
  private(set) var onlyFirst: [ComparedSteps.Key] = []
  private(set) var onlySecond: [ComparedSteps.Key] = []

  /// With more unmatched steps than this on one side, no candidates are searched for: the search compares every pair.
  private static let mostSearched = 1000

  /// - Complexity: O(n) in the number of steps.
  init(_ first: ComparedSteps, _ second: ComparedSteps) {
    var left = first.order.filter { second.times[$0] == nil }
    var right = second.order.filter { first.times[$0] == nil }
    var partners: [ComparedSteps.Key: ComparedSteps.Key] = [:]
    if left.count <= Self.mostSearched, right.count <= Self.mostSearched {
      let candidates = Self.candidates(left, right)
      var wanted: [Int: Int] = [:]
      for partners in candidates where partners.count == 1 { wanted[partners[0], default: 0] += 1 }
      for (index, found) in candidates.enumerated() where found.count == 1 && wanted[found[0]] == 1
      {
        partners[left[index]] = right[found[0]]
      }
      let taken = Set(partners.values)
      left.removeAll { partners[$0] != nil }
      right.removeAll { taken.contains($0) }
    }
    for key in first.order {
      if second.times[key] != nil {
        pairs.append((key, key))
      } else if let partner = partners[key] {
        pairs.append((key, partner))
      }
    }
    (onlyFirst, onlySecond) = (left, right)
  }

  /// For each key in `left`, the positions in `right` of the keys that may match it.
  private static func candidates(
    _ left: [ComparedSteps.Key], _ right: [ComparedSteps.Key]
  ) -> [[Int]] {
    let patterns = right.map { StepPath($0.path) }
    return left.map { key in
      let pattern = StepPath(key.path)
      return right.indices.filter { index in
        right[index].start == key.start
          && (pattern.matches(right[index].path) || patterns[index].matches(key.path))
      }
    }
  }
}

extension RunRecord {
  /// The number of steps of this run that match a step of the other, by label path.
  ///
  /// - Complexity: O(n) in the number of steps.
  public func pathsInCommon(with other: RunRecord) -> Int {
    StepMatching(ComparedSteps([self]), ComparedSteps([other])).pairs.count
  }
}
