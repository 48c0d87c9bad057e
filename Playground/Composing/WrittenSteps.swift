import AsyncPatterns
import PlaygroundLanguage

/// The steps of a list with what was written about them, before it is known under which pattern they
/// run.
///
/// Steps go by their index until the end, since a label that was generated may have to give way where
/// the list is taken over into another.
struct WrittenSteps {
  var steps: [Step] = []
  /// For each step, which of `written` it was made from: the copies of a count share one.
  var origins: [Int] = []
  var written: [WrittenStep] = []
  /// The steps that the label of a count, or the name of a list, stands for.
  var groups: [String: [Range<Int>]] = [:]
  var dependencies: [Dependency] = []
  /// Every `after` that names no step of this list; it may name one of the list around it.
  var unresolved: [UnresolvedLabel] = []
  /// Whether something is wrong with them, which has been reported.
  var isUnusable = false
  /// Whether steps are missing that an `after` could have named.
  var hasGaps = false

  init() {}

  /// A step alone.
  init(_ step: Step, written range: SourceRange, in source: Source) {
    steps = [step]
    origins = [0]
    written = [WrittenStep(stem: step.label, range: range, source: source)]
  }

  /// Where the step called `label` was written.
  ///
  /// - Complexity: O(n): for a finding.
  func place(of label: String) -> WrittenStep? {
    steps.firstIndex { $0.label == label }.map { written[origins[$0]] }
  }
}

/// What was written about a step, or about as many as its count says.
struct WrittenStep {
  /// What its label is made from, or the label itself.
  var stem: String
  /// Whether somebody wrote the label.
  var isLabelled = false
  var isCounted = false
  var options: [WrittenOption] = []
  var range: SourceRange
  var source: Source
}

/// An option of a step with where it was written: what stands behind the name of a list is an option
/// of steps that were written elsewhere.
struct WrittenOption {
  var syntax: OptionSyntax
  var source: Source
}

/// Steps that come after others.
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
