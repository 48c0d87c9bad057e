public import AsyncPatterns

/// The words a composition can be made of: the kinds of step, and the patterns that are loaded.
public struct Vocabulary: Sendable {
  public private(set) var steps: [String: StepKind] = [:]
  public private(set) var patterns: [String: any AsyncPattern.Type] = [:]
  /// Finds the plugins to load for patterns that are known and not there, by the name of the pattern.
  public var elsewhere: @Sendable () -> [String: String] = { [:] }

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

  /// The way to a pattern that is known and not there; nil if it is there, or nowhere.
  public func wayTo(_ name: String) -> String? {
    guard manual(name) == nil else { return nil }
    return elsewhere()[name].map { "“load \($0)” has it" }
  }

  /// Every name, sorted.
  public var names: [String] { (Array(steps.keys) + patterns.keys).sorted() }
}
