import AsyncPatterns
import PlaygroundLanguage

/// The steps of a list with their written details, before the pattern that runs them is known.
///
/// Steps are identified by index until their labels are final. A generated label may still change when the list is
/// inserted into another list.
struct WrittenSteps {
  var steps: [Step] = []
  /// For each step, the index in `written` of its details. Copies made by a count share them.
  var origins: [Int] = []
  var written: [WrittenStep] = []
  /// The steps that the label of a count, or the name of a list, refers to.
  var groups: [String: [Range<Int>]] = [:]
  var dependencies: [Dependency] = []
  /// Each `after` that refers to no step of this list. It may refer to a step of the outer list.
  var unresolved: [UnresolvedLabel] = []
  /// Whether the steps have an error, which has already been reported.
  var isUnusable = false
  /// Whether steps are missing that an `after` could refer to.
  var hasGaps = false

  init() {}

  /// Creates a list of a single step.
  init(_ step: Step, written range: SourceRange, in source: Source) {
    steps = [step]
    origins = [0]
    written = [WrittenStep(stem: step.label, range: range, source: source)]
  }

  /// The place in the source of the step with that label.
  ///
  /// - Complexity: O(n); used only for a finding.
  func place(of label: String) -> WrittenStep? {
    steps.firstIndex { $0.label == label }.map { written[origins[$0]] }
  }
}

/// The written details of a step, or of all copies that its count makes.
struct WrittenStep {
  /// The label, or the text from which labels are generated.
  var stem: String
  /// Whether the label was written, not generated.
  var isLabelled = false
  var isCounted = false
  var options: [WrittenOption] = []
  var range: SourceRange
  var source: Source
}

/// An option of a step and its source. An option after the name of a list applies to steps that were written elsewhere.
struct WrittenOption {
  var syntax: OptionSyntax
  var source: Source
}

/// Steps that start after other steps.
struct Dependency {
  var successors: Range<Int>
  var predecessors: [Range<Int>]
}

/// An `after` whose label has not been found yet.
struct UnresolvedLabel {
  var label: LabelSyntax
  var source: Source
  var successors: Range<Int>
}
