extension Comparison {
  /// What a run cost besides time, and which lint rules reported findings in it.
  public struct Cost: Sendable, Hashable {
    /// The name of the row.
    public var name: String
    /// In nanoseconds, like `blocked` and `mainHeld`.
    public var work: Int64
    public var blocked: Int64
    /// How long steps held the main lane or the main actor, working or blocked.
    public var mainHeld: Int64
    /// The rules with findings, sorted by name.
    public var findings: [LintCount]

    /// A rule, and the number of its findings.
    public struct LintCount: Sendable, Hashable {
      public var rule: String
      public var count: Int
    }

    /// - Complexity: O(n) in the number of steps.
    public init(_ name: String, _ record: RunRecord) {
      self.name = name
      work = record.work
      blocked = record.blocked
      let (table, nodes) = (record.table, record.nodes)
      let ofSteps = record.steps.indices.reduce(Int64(0)) { sum, index in
        let step = record.steps[index]
        guard step.lane == "main" else { return sum }
        if let table, let nodes, table.nodes[nodes[index]].isTask { return sum }
        return sum.addingClamped(step.work.addingClamped(step.blocked))
      }
      mainHeld = ofSteps.addingClamped(record.table?.timeOfTasksOnMain ?? 0)
      let counts = Dictionary(grouping: record.lints, by: \.rule).mapValues {
        $0.reduce(0) { $0 + $1.count }
      }
      findings = counts.sorted { $0.key < $1.key }.map { LintCount(rule: $0, count: $1) }
    }
  }
}
