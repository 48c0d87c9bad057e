import AsyncPatterns
import PlaygroundLanguage

extension Composer {
  /// The maximum number of pairs of steps that `after` may connect in a list. Without a limit, a million steps after a
  /// million others would take a week to check.
  static let mostDependencies = 10_000_000

  /// Finds the steps of the list that the labels refer to. A label that is not found may refer to a step of the outer
  /// list.
  mutating func connect(
    _ successors: Range<Int>, after labels: [UnresolvedLabel], in steps: inout WrittenSteps,
    _ labelling: Labelling, total: inout Int
  ) {
    var predecessors: [Range<Int>] = []
    for label in labels {
      guard let meant = steps.meaning(of: label.label.text, labelling) else {
        steps.unresolved.append(label)
        continue
      }
      guard !meant.contains(where: { $0.overlaps(successors) }) else {
        report(
          "“after \(label.label.text)” names the step itself, and a step cannot come after itself",
          at: label.label.range, in: label.source)
        steps.isUnusable = true
        continue
      }
      predecessors += meant
    }
    guard !predecessors.isEmpty else { return }
    total += successors.count * predecessors.reduce(0) { $0 + $1.count }
    guard total <= Self.mostDependencies else {
      if !steps.isUnusable, let label = labels.first {
        report(
          "“after” connects more than 10 000 000 pairs of steps here", at: label.label.range,
          in: label.source,
          hint: "put one step between them: gate: value 0 after \(label.label.text)")
      }
      steps.isUnusable = true
      return
    }
    steps.dependencies.append(Dependency(successors: successors, predecessors: predecessors))
  }

  /// Reports each `after` that refers to no step, since there is no outer list left to search.
  mutating func reportUnresolved(_ steps: WrittenSteps) {
    guard !steps.unresolved.isEmpty, !steps.hasGaps else { return }
    // The candidates for a hint, limited to as many as a person could look through.
    let known = steps.steps.prefix(10_000).map(\.label) + steps.groups.keys.sorted().prefix(10_000)
    for label in steps.unresolved where diagnostics.count < Self.mostDiagnostics {
      diagnostics.append(
        Diagnostic(
          "“after \(label.label.text)” names no step of this list", at: label.label.range,
          in: label.source, unknown: label.label.text, among: known))
    }
  }
}

extension WrittenSteps {
  /// The steps that `after label` refers to: one step, or every step of a count or a list.
  fileprivate func meaning(of label: String, _ labelling: Labelling) -> [Range<Int>]? {
    if let index = labelling.index(of: label) { return [index..<index + 1] }
    return groups[label]
  }

  /// Writes the labels of the predecessors into the steps. Must be called when the labels no longer change.
  ///
  /// - Complexity: O(n + pairs). Steps with the same predecessors share the array of labels.
  mutating func nameDependencies() {
    for dependency in dependencies {
      var seen: Set<Int> = []
      let isSingle = dependency.predecessors.count == 1
      let labels = dependency.predecessors.joined().compactMap { index in
        isSingle || seen.insert(index).inserted ? steps[index].label : nil
      }
      for index in dependency.successors {
        let known = steps[index].predecessors
        if known.isEmpty {
          steps[index].predecessors = labels
        } else {
          let others = Set(known)
          steps[index].predecessors += labels.filter { !others.contains($0) }
        }
      }
    }
  }
}
