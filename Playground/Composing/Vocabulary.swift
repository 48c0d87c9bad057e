public import AsyncPatterns

/// The words a composition can be made of: the kinds of step, and the patterns that are loaded.
public struct Vocabulary: Sendable {
  public private(set) var steps: [String: StepKind] = [:]
  public private(set) var patterns: [String: any AsyncPattern.Type] = [:]

  public init(steps: [StepKind]) {
    for step in steps { self.steps[step.manual.name] = step }
  }

  /// The same kinds of step with these patterns in place of the ones before.
  public func replacingPatterns(_ patterns: [any AsyncPattern.Type]) -> Vocabulary {
    var result = self
    result.patterns = [:]
    for pattern in patterns { result.patterns[pattern.manual.name] = pattern }
    return result
  }

  /// The manual of the step or pattern called `name`.
  public func manual(_ name: String) -> Manual? {
    steps[name]?.manual ?? patterns[name]?.manual
  }

  /// Every name, sorted.
  public var names: [String] { (Array(steps.keys) + patterns.keys).sorted() }
}
