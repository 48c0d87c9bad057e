import AsyncPatterns

/// A change to how long steps take: those that a label or a path means, and everything below them.
///
/// A path means what it means in a trace: its parts occur in a step's own path in that order. It may also
/// end at the name of a list, or at a label that had a count and so stands for all its copies.
public struct Scale: Sendable, Hashable {
  /// The labels from the outermost.
  public let path: [String]
  /// How many times as long; at least 0.
  public let factor: Double

  public init(_ path: [String], by factor: Double) {
    self.path = path
    self.factor = factor
  }
}

/// How a scale's path is looked for on the way down a composition.
struct ScaleSearch {
  let parts: [Substring]
  let factor: Double
  /// Whether its last part is what a count's labels begin with.
  let isCounted: Bool

  init(_ scale: Scale, isCounted: Bool) {
    parts = scale.path.flatMap(\.pathParts)
    factor = scale.factor
    self.isCounted = isCounted
  }

  /// How many parts are still to be found below `step`; 0 once the path means it, or something around it.
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

  /// Whether the path means anything below `step`.
  func finds(below step: Step) -> Bool {
    var visited: Set<Visit> = []
    return finds(below: step, left: parts.count, &visited)
  }

  private struct Visit: Hashable {
    var steps: UnsafeRawPointer?
    var left: Int
  }

  /// Steps that several have in common are looked at once.
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
