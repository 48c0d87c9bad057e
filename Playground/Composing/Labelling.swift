import PlaygroundLanguage

/// Gives labels to the steps of a list that have none, and to the copies that a count makes.
///
/// Labels that somebody wrote come first: a generated one that is taken gets the next free number.
struct Labelling {
  private var taken: Set<String>
  /// The labels written so far.
  private var seen: Set<String> = []
  private let explicit: Set<String>
  private var nextNumber: [String: Int] = [:]
  private var given: [SourceRange: [String]] = [:]

  init(explicit steps: [StepSyntax]) {
    explicit = Set(steps.filter { $0.count == nil }.compactMap(\.label?.text))
    taken = explicit
  }

  /// Whether the label was written before; from now on it was.
  mutating func isRepeated(_ label: String) -> Bool { !seen.insert(label).inserted }

  /// Whether somebody wrote the label for a single step.
  func isExplicit(_ label: String) -> Bool { explicit.contains(label) }

  mutating func take(_ label: String) { taken.insert(label) }

  /// `stem` itself, or with the next free number if it is taken.
  mutating func generated(_ stem: String) -> String {
    if taken.insert(stem).inserted { return stem }
    return numbered(stem, from: 2)
  }

  /// `stem-1` … `stem-count`, without the numbers that are taken.
  mutating func numbered(_ stem: String, count: Int) -> [String] {
    (0..<count).map { _ in numbered(stem, from: 1) }
  }

  private mutating func numbered(_ stem: String, from first: Int) -> String {
    var number = max(nextNumber[stem] ?? first, first)
    while !taken.insert("\(stem)-\(number)").inserted { number += 1 }
    nextNumber[stem] = number + 1
    return "\(stem)-\(number)"
  }

  mutating func record(_ labels: [String], of step: StepSyntax) {
    if !step.predecessors.isEmpty { given[step.range] = labels }
  }

  /// The labels that a written step was given.
  func labels(of step: StepSyntax) -> [String] { given[step.range] ?? [] }
}
