import AsyncPatterns

/// A change to the duration of steps: the steps that a label or a path refers to, and all steps below them.
///
/// A path has the same meaning as in a trace: its parts occur in a step's own path in the same order. It may also end
/// with the name of a list, or with a label that had a count and therefore refers to all copies.
public struct Scale: Sendable, Hashable {
  /// The labels, outermost first.
  public let path: [String]
  /// The factor for the duration, at least 0.
  public let factor: Double

  public init(_ path: [String], by factor: Double) {
    self.path = path
    self.factor = factor
  }
}

/// The search for a scale's path, from the outermost steps of a composition to the innermost.
struct ScaleSearch {
  let parts: [Substring]
  let factor: Double
  /// Whether the last part of the path is a label that had a count, so that it matches the numbered labels.
  let isCounted: Bool

  init(_ scale: Scale, isCounted: Bool) {
    parts = scale.path.flatMap(\.pathParts)
    factor = scale.factor
    self.isCounted = isCounted
  }

  /// The number of parts still to be found below `step`. It is 0 if the path refers to the step or to one around it.
  func left(_ left: Int, below step: Step) -> Int {
    var left = left
    for part in step.group?.pathParts ?? [] { left = self.left(left, behind: part, mayEnd: true) }
    let label = step.label.pathParts
    for (index, part) in label.enumerated() {
      left = self.left(left, behind: part, mayEnd: index == label.count - 1)
    }
    return left
  }

  private func left(_ left: Int, behind part: Substring, mayEnd: Bool) -> Int {
    guard left > 0 else { return 0 }
    let wanted = parts[parts.count - left]
    if left > 1 { return part == wanted ? left - 1 : left }
    return mayEnd && isMeant(part, by: wanted) ? 0 : 1
  }

  private func isMeant(_ part: Substring, by wanted: Substring) -> Bool {
    guard isCounted else { return part == wanted }
    return part.hasPrefix(wanted + "-") && Int(part.dropFirst(wanted.count + 1)) != nil
  }

  /// Whether the path refers to any step below `step`.
  func finds(below step: Step) -> Bool {
    var visited: Set<Visit> = []
    return finds(below: step, left: parts.count, &visited)
  }

  private struct Visit: Hashable {
    var steps: UnsafeRawPointer?
    var left: Int
  }

  /// Searches steps only once if several other steps share them.
  private func finds(below step: Step, left: Int, _ visited: inout Set<Visit>) -> Bool {
    let place = step.steps.withUnsafeBytes { $0.baseAddress }
    guard visited.insert(Visit(steps: place, left: left)).inserted else { return false }
    return step.steps.contains { step in
      let left = self.left(left, below: step)
      return left == 0 || !step.steps.isEmpty && finds(below: step, left: left, &visited)
    }
  }
}

extension String {
  fileprivate var pathParts: [Substring] {
    split(separator: "/", omittingEmptySubsequences: false)
  }
}
