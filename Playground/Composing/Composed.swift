public import AsyncPatterns

/// An expression that can be run: its step, and what people call it.
public struct Composed: Sendable {
  public let step: Step
  /// The expression on one line; a plain name stays that name.
  public let name: String
  /// What the step is: the name of its pattern, or of its kind.
  public var pattern: String { step.kind }

  public init(step: Step, name: String) {
    self.step = step
    self.name = name
  }

  /// The paths of all steps, outermost first, as a trace will have them.
  public var paths: [[String]] {
    step.steps.isEmpty ? [[step.label]] : step.pathsBelow([])
  }

  /// Whether a step of it is called by `path`: its components occur in a step's path in that order,
  /// the last as the last.
  public func contains(_ path: [String]) -> Bool {
    paths.contains { candidate in
      guard candidate.last == path.last else { return false }
      var rest = path.dropLast()[...]
      for component in candidate.dropLast() where component == rest.first { rest.removeFirst() }
      return rest.isEmpty
    }
  }
}

extension Step {
  fileprivate func pathsBelow(_ prefix: [String]) -> [[String]] {
    steps.flatMap { step in
      let path = prefix + (step.group.map { [$0] } ?? []) + [step.label]
      return [path] + step.pathsBelow(path)
    }
  }
}
