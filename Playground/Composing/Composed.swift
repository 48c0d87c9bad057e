public import AsyncPatterns
import PlaygroundLanguage

/// An expression that can be run: its step, and what people call it.
public struct Composed: Sendable {
  public private(set) var step: Step
  /// The expression on one line; a plain name stays that name.
  public private(set) var name: String
  /// The expression with the list that it was handed, by which runs are told apart that `name` does not: `serial job`.
  public private(set) var title: String
  /// The expression, however long it is (up to 64 KB).
  public let source: String
  /// What the step is: the name of its pattern, or of its kind.
  public var pattern: String { step.kind }
  let writing: Writing

  /// - Parameters:
  ///   - list: the steps, where they stand apart from the pattern that `expression` is.
  ///   - names: what names stood for there.
  init(
    _ step: Step, of expression: ExpressionSyntax, over list: ExpressionSyntax? = nil,
    in source: Source, names: Bindings
  ) {
    self.step = step
    writing = Writing(expression, over: list, in: source, names: names)
    let printer = SourcePrinter(source, limit: 200)
    name = printer.text(expression)
    title = name + (list.map { " " + printer.text($0) } ?? "")
    self.source = SourcePrinter(source, limit: 65_536).text(expression)
  }

  /// The same composition, made of another step in its place, under a name of its own.
  public func replacing(_ step: Step, called name: String) -> Composed {
    var result = self
    result.step = step
    result.name = name
    result.title = name
    return result
  }

  /// Whether a label or a path means a step of it, as it would in a trace: the parts of the path occur
  /// in the step's own path in that order, the last one last.
  ///
  /// - Complexity: O(n) in the number of steps that were composed; copies of a count are one.
  public func contains(_ path: [String]) -> Bool {
    let wanted = parts(of: path)[...]
    guard !step.steps.isEmpty else { return wanted.matches(step.label) }
    var search = PathSearch()
    return search.finds(wanted, below: step)
  }

  /// The paths of the first `limit` steps, outermost first, as a trace will have them: what a hint can
  /// choose from.
  public func paths(limit: Int = 10_000) -> [[String]] {
    if step.steps.isEmpty { return [[step.label]] }
    var paths: [[String]] = []
    step.appendPaths(below: [], to: &paths, limit: limit)
    return paths
  }

  /// Labels may hold slashes, and are then as many parts of a trace's path.
  private func parts(of path: [String]) -> [Substring] { path.flatMap(\.pathParts) }
}

/// Looks for a path without looking twice at steps that several have in common.
private struct PathSearch {
  private struct Visit: Hashable {
    var steps: UnsafeRawPointer?
    var wanted: Int
  }

  private var visited: Set<Visit> = []

  mutating func finds(_ wanted: ArraySlice<Substring>, below step: Step) -> Bool {
    let place = step.steps.withUnsafeBytes { $0.baseAddress }
    guard visited.insert(Visit(steps: place, wanted: wanted.count)).inserted else { return false }
    for step in step.steps {
      let inner = wanted.droppingMatches(step.group)
      if inner.matches(step.label) { return true }
      if !step.steps.isEmpty, finds(inner.droppingMatches(step.label), below: step) { return true }
    }
    return false
  }
}

extension ArraySlice<Substring> {
  /// What is still wanted below something of that name; the last part is wanted of the step itself.
  fileprivate func droppingMatches(_ name: String?) -> ArraySlice<Substring> {
    guard let name, count > 1 else { return self }
    var rest = self
    for part in name.pathParts where rest.count > 1 && part == rest.first { rest.removeFirst() }
    return rest
  }

  /// Whether a step with that label is what is wanted, nothing else being left to find on the way.
  fileprivate func matches(_ label: String) -> Bool {
    if count == 1, !label.utf8.contains(UInt8(ascii: "/")) { return first! == label }
    let parts = label.pathParts
    guard parts.last == last else { return false }
    var rest = dropLast()
    for part in parts.dropLast() where part == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }
}

extension String {
  fileprivate var pathParts: [Substring] {
    split(separator: "/", omittingEmptySubsequences: false)
  }
}

extension Step {
  fileprivate func appendPaths(below prefix: [String], to paths: inout [[String]], limit: Int) {
    for step in steps {
      if paths.count >= limit { return }
      let path = prefix + (step.group.map { [$0] } ?? []) + [step.label]
      paths.append(path)
      step.appendPaths(below: path, to: &paths, limit: limit)
    }
  }
}
