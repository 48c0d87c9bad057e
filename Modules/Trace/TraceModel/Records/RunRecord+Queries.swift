extension RunRecord {
  /// The steps that match a label or a path, in the order of the record.
  ///
  /// - Complexity: O(n) in the number of steps.
  public func steps(matching path: String) -> [StepRecord] {
    let path = StepPath(path)
    return steps.filter { path.matches($0.path) }
  }

  /// The number of starts of the steps that match `path`.
  public func startCount(of path: String) -> Int {
    steps(matching: path).count { $0.started != nil }
  }

  /// The steps that had started but not finished at a given time: the run was waiting for them.
  ///
  /// - Parameter time: nanoseconds since the start. If nil, the end of the run: the result contains the steps that
  ///   never finished.
  public func open(at time: Int64? = nil) -> [StepRecord] {
    steps.filter { step in
      guard let started = step.started else { return false }
      guard let time else { return step.finished == nil }
      return started <= time && time < step.finished ?? .max
    }
  }

  /// Whether the steps that match the paths finished in the order of the paths. Each must finish later than the one
  /// before. At the same instant, the order of recording decides.
  ///
  /// If several steps match a path, the last one to finish counts. The result is false if one of them did not finish.
  public func finishedInOrder(_ paths: [String]) -> Bool {
    let ranks = paths.map { finishRank(of: $0) }
    guard ranks.allSatisfy({ $0 != nil }) else { return false }
    return zip(ranks, ranks.dropFirst()).allSatisfy { ($0 ?? 0) < ($1 ?? 0) }
  }

  private func finishRank(of path: String) -> Int? {
    let matching = steps(matching: path)
    guard !matching.isEmpty, matching.allSatisfy({ $0.finishRank != nil }) else { return nil }
    return matching.compactMap(\.finishRank).max()
  }
}
