import AsyncPatterns
import PlaygroundLanguage

/// The steps of a list with what was written about them, before it is known under which pattern they
/// run.
struct WrittenSteps {
  var steps: [WrittenStep] = []
  /// Where each label stands.
  var ranges: [String: (range: SourceRange, source: Source)] = [:]
  /// The labels that a label with a count, or the name of a list, stands for.
  var groups: [String: [String]] = [:]

  /// What `after label` means: that step, or every step of that count or list.
  func labels(meantBy label: String) -> [String] {
    ranges[label] != nil ? [label] : groups[label] ?? []
  }
}

/// A step with the options that were written for it.
struct WrittenStep {
  var step: Step
  var options: [OptionSyntax] = []
  var source: Source
}
