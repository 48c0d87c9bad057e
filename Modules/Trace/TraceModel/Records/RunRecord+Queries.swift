extension RunRecord {
  /// The steps that a label or a path means, in the order of the record.
  ///
  /// - Complexity: O(n) in the number of steps.
  public func steps(matching path: String) -> [StepRecord] {
    let path = StepPath(path)
    return steps.filter { path.matches($0.path) }
  }

  /// How often the steps that `path` means started.
  public func startCount(of path: String) -> Int {
    steps(matching: path).count { $0.started != nil }
  }

  /// The steps that had started and not finished at a time: what the run was waiting for.
  ///
  /// - Parameter time: nanoseconds since the start; the end of the run if nil, so that what never
  ///   finished is left.
  public func open(at time: Int64? = nil) -> [StepRecord] {
    steps.filter { step in
      guard let started = step.started else { return false }
      guard let time else { return step.finished == nil }
      return started <= time && time < step.finished ?? .max
    }
  }

  /// Whether the steps that the paths mean finished in this order, each of them later than the one
  /// before, or recorded later where they share an instant.
  ///
  /// Of a path that means several steps, the last one to finish counts. False where one did not finish.
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
