/// A finding, which is a definite or probable fault: the rule, the step, and the fix.
///
/// Findings of one rule in a family of steps, `page-1` … `page-n`, or in several starts of a step, form one record. It
/// describes the first of them, the number of findings, and the other steps.
public struct LintRecord: Sendable, Hashable {
  public var rule: String
  /// The path of the first step. The run's own step is identified by its label.
  public var step: String
  /// The fault in the first step, and the fix.
  public var message: String
  /// The number of findings of the rule in the family, at least one.
  public var count: Int
  /// The paths of all steps with findings, each once, in the order of the findings.
  public var steps: [String]
  /// When the first finding happened in each of `steps`, in nanoseconds since the start of the run.
  public var times: [Int64]

  /// - Parameter times: by default, the start of the run.
  public init(
    rule: String, step: String, message: String, count: Int = 1, steps: [String]? = nil,
    times: [Int64]? = nil
  ) {
    self.rule = rule
    self.step = step
    self.message = message
    self.count = count
    self.steps = steps.flatMap { $0.isEmpty ? nil : $0 } ?? [step]
    self.times = times ?? Array(repeating: 0, count: self.steps.count)
  }

  /// The place of the finding as readable text: `page-1, page-2, page-3 and 997 more`.
  public var place: String {
    let shown = 3
    var text = steps.count > 1 ? steps.prefix(shown).joined(separator: ", ") : step
    if steps.count > shown { text += " and \((steps.count - shown).grouped) more" }
    return count == steps.count ? text : text + ", \(count.grouped) times"
  }

  /// The finding restricted to some of the steps. Nil if it was found in none of them.
  ///
  /// - Parameter begin: the zero point for the times of the result.
  package func restricted(to paths: Set<String>, since begin: Int64) -> LintRecord? {
    let inside = zip(steps, times).filter { paths.contains($0.0) }
    guard let first = inside.first?.0 else { return nil }
    return LintRecord(
      rule: rule, step: first, message: first == step ? message : "as in \(step): \(message)",
      count: inside.count < steps.count ? inside.count : count, steps: inside.map(\.0),
      times: inside.map { $0.1.subtractingClamped(begin) })
  }
}

/// Collects findings and combines those of one rule in one family.
package struct LintFamilies {
  package private(set) var all: [LintRecord] = []

  private struct Key: Hashable {
    let rule: String
    let kind: String
    /// The path without the numbers of its labels.
    let stem: String
    let isFinal: Bool
  }

  private struct Member: Hashable {
    let family: Int
    let path: String
  }

  private var families: [Key: Int] = [:]
  private var members: Set<Member> = []

  package init() {}

  /// - Parameters:
  ///   - kind: the kind of the step. All steps of a family have the same kind.
  ///   - isFinal: whether the fault lasts until the end of the run. Such findings are combined only with each other,
  ///     since they would be hidden among others.
  package mutating func add(_ finding: LintRecord, kind: String, isFinal: Bool) {
    let key = Key(
      rule: finding.rule, kind: kind, stem: Self.stem(of: finding.step), isFinal: isFinal)
    let family = families[key] ?? all.count
    let isNew = members.insert(Member(family: family, path: finding.step)).inserted
    guard family < all.count else {
      families[key] = family
      return all.append(finding)
    }
    all[family].count += 1
    guard isNew else { return }
    all[family].steps.append(finding.step)
    all[family].times += finding.times
  }

  /// - Complexity: O(n) in the length of the path.
  private static func stem(of path: String) -> String {
    guard path.utf8.contains(0x2D) else { return path }
    return path.split(separator: "/", omittingEmptySubsequences: false)
      .map { Folding.stem(of: String($0)) }.joined(separator: "/")
  }
}
