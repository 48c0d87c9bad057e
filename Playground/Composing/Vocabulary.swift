public import AsyncPatterns
public import SwiftScanning

/// The words that a composition can use: the kinds of steps, and the loaded patterns.
public struct Vocabulary: Sendable {
  public private(set) var steps: [String: StepKind] = [:]
  public private(set) var patterns: [String: any AsyncPattern.Type] = [:]
  /// Makes the step for Swift code in braces. Nil if the code has not been compiled.
  public var swift: @Sendable (SwiftPiece) -> Step? = { _ in nil }
  /// Finds the plugins to load for known patterns that are not loaded, by the names of the patterns.
  public var elsewhere: @Sendable () -> [String: String] = { [:] }

  public init(steps: [StepKind]) {
    for step in steps { self.steps[step.manual.name] = step }
  }

  /// The same kinds of steps, with `patterns` instead of the previous patterns.
  public func replacingPatterns(_ patterns: [any AsyncPattern.Type]) -> Vocabulary {
    var result = self
    result.patterns = [:]
    for pattern in patterns { result.patterns[pattern.manual.name] = pattern }
    return result
  }

  /// The manual of the step or pattern with that name.
  public func manual(_ name: String) -> Manual? {
    steps[name]?.manual ?? patterns[name]?.manual
  }

  /// Hints on how to load the patterns that are known but not loaded. The keys are the names of the patterns.
  public func waysToLoad() -> [String: String] {
    elsewhere().filter { manual($0.key) == nil }.mapValues { "“load \($0)” loads it" }
  }

  /// The hint on how to load a pattern that is known but not loaded. Nil if the name is loaded or unknown.
  public func wayTo(_ name: String) -> String? {
    manual(name) == nil ? waysToLoad()[name] : nil
  }

  /// The names of all steps and patterns, sorted.
  public var names: [String] { (Array(steps.keys) + patterns.keys).sorted() }
}
