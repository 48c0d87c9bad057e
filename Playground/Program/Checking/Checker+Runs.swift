import Composing
import PlaygroundLanguage

extension Checker {
  private func composer(in source: Source) -> Composer {
    Composer(
      vocabulary: session.vocabulary, bindings: bindings, clock: settings.clock, source: source)
  }

  mutating func bind(
    _ name: NameSyntax, to expression: ExpressionSyntax, in source: Source
  ) {
    if session.vocabulary.manual(name.text) != nil {
      return report(
        "“\(name.text)” is already a pattern or a step", at: name.range, in: source,
        hint: "choose another name")
    }
    if check(binding: expression, in: source) {
      bindings[name.text] = Binding(expression, in: source, names: bindings)
    } else if bindings[name.text] == nil {
      // Otherwise each use of the name would be reported as well.
      bindings[name.text] = .unusable(expression, in: source)
    }
  }

  // A function of its own: while there is a composer, a change of the bindings copies all of them.
  private mutating func check(binding expression: ExpressionSyntax, in source: Source) -> Bool {
    var composer = composer(in: source)
    defer { diagnostics += composer.diagnostics }
    return composer.check(binding: expression)
  }

  mutating func run(
    _ expression: ExpressionSyntax, _ background: Bool, in source: Source
  ) {
    var composer = composer(in: source)
    let composed = composer.compose(expression)
    diagnostics += composer.diagnostics
    guard let composed else { return }
    lastComposed = composed
    let plan = RunPlan(composed: composed, settings: settings)
    actions.append(
      background
        ? Action { $0.runInBackground(plan) } : Action { await $0.runAndShow(plan) })
  }

  mutating func compare(_ comparison: ComparisonSyntax, in source: Source) {
    var plans: [RunPlan] = []
    for call in comparison.patterns {
      var composer = composer(in: source)
      if let composed = composer.compose(comparison.list, under: call) {
        if plans.contains(where: { $0.name == composed.name }) {
          report("“\(composed.name)” is compared twice here", at: call.range, in: source)
        }
        plans.append(RunPlan(composed: composed, settings: settings))
      }
      diagnostics += composer.diagnostics
      // An error in the list is an error under every pattern, so it is reported once.
      if !composer.diagnostics.isEmpty { return }
    }
    if let runs = comparison.runs, !(1...100_000).contains(runs.value) {
      return report("a comparison takes from 1 to 100000 runs", at: runs.range, in: source)
    }
    lastComposed = plans.last?.composed
    comparedNames = plans.map(\.name)
    let runs = comparison.runs?.value
    actions.append(Action { [plans] in await $0.compare(plans, runs: runs) })
  }
}
