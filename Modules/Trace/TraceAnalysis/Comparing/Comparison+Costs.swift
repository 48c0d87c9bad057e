extension Comparison {
  /// What a run cost beside its time, and what was found in it.
  public struct Cost: Sendable, Hashable {
    /// The name of the row.
    public var name: String
    /// In nanoseconds, like the others.
    public var work: Int64
    public var blocked: Int64
    /// For how long steps held the main lane, working or blocked.
    public var mainHeld: Int64
    /// The rules that found something, by name.
    public var findings: [Finding]

    /// A rule, and how often it found something.
    public struct Finding: Sendable, Hashable {
      public var rule: String
      public var count: Int
    }

    /// - Complexity: O(n) in the number of steps.
    public init(_ name: String, _ record: RunRecord) {
      self.name = name
      work = record.work
      blocked = record.blocked
      mainHeld = record.steps.reduce(0) { sum, step in
        step.lane == "main" ? sum.addingClamped(step.work.addingClamped(step.blocked)) : sum
      }
      let counts = Dictionary(grouping: record.lints, by: \.rule).mapValues {
        $0.reduce(0) { $0 + $1.count }
      }
      findings = counts.sorted { $0.key < $1.key }.map { Finding(rule: $0, count: $1) }
    }
  }
}
