public import AsyncPatterns

/// What has become of all laws of a pattern.
public struct LawReport: Sendable {
  /// What the pattern is called.
  public var pattern: String
  /// One a law, in the order of `Law.allCases`.
  public var verdicts: [LawVerdict]

  init(pattern: String, verdicts: [LawVerdict] = []) {
    self.pattern = pattern
    self.verdicts = verdicts
  }

  /// Whether the pattern keeps all laws but those that its manual says it breaks, and breaks those; what
  /// could not be searched does not count.
  public var isAsStated: Bool { verdicts.allSatisfy(\.isAsStated) }

  /// The laws that a schedule broke, on purpose or not.
  public var brokenLaws: Set<Law> {
    Set(verdicts.filter { $0.counterexample != nil }.map(\.law))
  }

  public subscript(_ law: Law) -> LawVerdict? { verdicts.first { $0.law == law } }
}

extension LawReport: CustomStringConvertible {
  /// A line a law, and under what is not as stated how it came about.
  public var description: String {
    let lines = verdicts.flatMap { "\($0)".split(separator: "\n") }
    return ([pattern] + lines.map { "  \($0)" }).joined(separator: "\n")
  }
}
