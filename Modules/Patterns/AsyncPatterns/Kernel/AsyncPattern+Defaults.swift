extension AsyncPattern {
  public var flow: Manual.Flow { Self.manual.flow }

  /// Checks the number of steps, and checks each `after` against the manual's `ordering`.
  public func validate(_ steps: [Step]) throws {
    try Self.manual.validate(steps)
  }
}

extension Manual {
  /// Checks the number of steps, and checks each `after` against `ordering`.
  public func validate(_ steps: [Step]) throws(CompositionError) {
    guard self.steps.allows(steps.count) else {
      throw CompositionError("“\(name)” takes \(self.steps.text), not \(steps.count)")
    }
    guard steps.contains(where: { !$0.predecessors.isEmpty }) else { return }
    var earlier: Set<String> = []
    for step in steps {
      for predecessor in step.predecessors {
        switch ordering {
        case .none:
          throw CompositionError(
            "“\(name)” does not order its steps, so it rejects “after \(predecessor)”; leave it out",
            step: step.label)
        case .keepsOrder where !earlier.contains(predecessor):
          throw CompositionError(
            "“\(name)” runs its steps in the order written, so “\(step.label)” can only come after "
              + "an earlier step, and “\(predecessor)” is not one; write “\(predecessor)” first",
            step: step.label)
        case .keepsOrder, .byDependency: break
        }
      }
      earlier.insert(step.label)
    }
  }
}

extension Manual.StepCount {
  fileprivate var text: String {
    switch self {
    case .any: "any number of steps"
    case .none: "no steps"
    case .exactly(1): "one step"
    case .exactly(let number): "\(number) steps"
    case .atLeast(let number): "at least \(number) \(number == 1 ? "step" : "steps")"
    }
  }
}

/// The error with which a pattern rejects a composition.
public struct CompositionError: Error, Hashable, CustomStringConvertible {
  /// What is wrong, and how to fix it.
  public var message: String
  /// The label of the step concerned, if there is one.
  public var step: String?

  public init(_ message: String, step: String? = nil) {
    self.message = message
    self.step = step
  }

  public var description: String { message }
}
