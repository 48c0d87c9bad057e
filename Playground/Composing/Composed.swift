public import AsyncPatterns
import PlaygroundLanguage

/// An expression that can be run: its step, and its names for the user.
public struct Composed: Sendable {
  public private(set) var step: Step
  /// The expression on one line. A plain name is kept as written.
  public private(set) var name: String
  /// The expression and the list that it was given, such as `serial job`. It distinguishes runs that have the same
  /// `name`.
  public private(set) var title: String
  /// The complete expression, up to 64 KB.
  public let source: String
  /// The name of the step's pattern or of its kind.
  public var pattern: String { step.kind }
  let writing: Writing

  /// - Parameters:
  ///   - list: the steps, if they are written apart from the pattern in `expression`.
  ///   - names: the meanings of the names in the expression.
  init(
    _ step: Step, of expression: ExpressionSyntax, over list: ExpressionSyntax? = nil,
    in source: Source, names: Bindings
  ) {
    self.step = step
    writing = Writing(expression, over: list, in: source, names: names)
    let printer = SourcePrinter(source, limit: 200)
    name = printer.text(expression)
    title = name + (list.map { " " + printer.text($0) } ?? "")
    self.source = SourcePrinter(source, limit: 65_536, keepsLines: true)
      .text(expression)
  }

  /// The same composition with another step and another name.
  public func replacing(_ step: Step, called name: String) -> Composed {
    var result = self
    result.step = step
    result.name = name
    result.title = name
    return result
  }

  /// Whether a label or a path refers to a step of this composition, as it would in a trace. The parts of the path must
  /// occur in the step's own path in the same order. The last part must be the step's label.
  ///
  /// - Complexity: O(n) in the number of steps as written; copies made by a count are one step.
  public func contains(_ path: [String]) -> Bool {
    let wanted = parts(of: path)[...]
    guard !step.steps.isEmpty else { return wanted.matches(step.label) }
    var search = PathSearch()
    return search.finds(wanted, below: step)
  }

  /// The paths of the first `limit` steps, outermost first, as in a trace. They are the candidates for a hint.
  public func paths(limit: Int = 10_000) -> [[String]] {
    if step.steps.isEmpty { return [[step.label]] }
    var paths: [[String]] = []
    step.appendPaths(below: [], to: &paths, limit: limit)
    return paths
  }

  /// A label may contain slashes. It then consists of several parts, as in the path of a trace.
  private func parts(of path: [String]) -> [Substring] { path.flatMap(\.pathParts) }
}

/// Searches for a path. Steps that are shared by several other steps are searched only once.
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
  /// The parts that are still to be found below a step or group named `name`. The last part is always left, for the
  /// step itself.
  fileprivate func droppingMatches(_ name: String?) -> ArraySlice<Substring> {
    guard let name, count > 1 else { return self }
    var rest = self
    for part in name.pathParts where rest.count > 1 && part == rest.first { rest.removeFirst() }
    return rest
  }

  /// Whether a step with that label is the one searched for, with no other part left to find.
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
