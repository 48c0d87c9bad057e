public import AsyncPatterns

/// The verdicts on all laws of a pattern.
public struct LawReport: Sendable {
  /// The name of the pattern.
  public var pattern: String
  /// One verdict per law, in the order of `Law.allCases`.
  public var verdicts: [LawVerdict] = []

  /// Whether the pattern breaks the laws that its manual says it breaks, and keeps all others. A skipped law does not
  /// count.
  public var isAsStated: Bool { verdicts.allSatisfy(\.isAsStated) }

  /// The laws that the pattern broke under some schedule, on purpose or not.
  public var brokenLaws: Set<Law> {
    Set(verdicts.filter { $0.counterexample != nil }.map(\.law))
  }

  public subscript(_ law: Law) -> LawVerdict? { verdicts.first { $0.law == law } }
}

extension LawReport: CustomStringConvertible {
  /// One line per law. Below each law that should not have been broken but was, further lines show what happened.
  public var description: String {
    let lines = verdicts.flatMap { "\($0)".split(separator: "\n") }
    return ([pattern] + lines.map { "  \($0)" }).joined(separator: "\n")
  }
}
