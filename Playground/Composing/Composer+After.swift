import AsyncPatterns
import PlaygroundLanguage

extension Composer {
  /// How many pairs of steps `after` may connect in a list: a million steps after a million others
  /// would take a week to look at.
  static let mostDependencies = 10_000_000

  /// Finds the steps that these labels mean in the list; those it has not may be the outer list's.
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
          "“after \(label.label.text)” names the step itself, which cannot come after itself",
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
          hint: "let one step come between them: gate: value 0 after \(label.label.text)")
      }
      steps.isUnusable = true
      return
    }
    steps.dependencies.append(Dependency(successors: successors, predecessors: predecessors))
  }

  /// Reports every `after` that names no step, now that no list is around this one.
  mutating func reportUnresolved(_ steps: WrittenSteps) {
    guard !steps.unresolved.isEmpty, !steps.hasGaps else { return }
    // For a hint, as many as somebody could look through.
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
  /// What `after label` means: that step, or every step of that count or list.
  fileprivate func meaning(of label: String, _ labelling: Labelling) -> [Range<Int>]? {
    if let index = labelling.index(of: label) { return [index..<index + 1] }
    return groups[label]
  }

  /// Writes the labels of their predecessors into the steps, now that labels change no more.
  ///
  /// - Complexity: O(n + pairs); steps that come after the same ones share their labels.
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
