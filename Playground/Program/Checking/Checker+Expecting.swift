import Composing
import PlaygroundLanguage
import TimingTrace

extension Checker {
  mutating func expect(_ expectation: ExpectationSyntax, in source: Source) {
    switch expectation.kind {
    case .quantity, .order, .critical, .step:
      requireRun(for: expectation, in: source)
      checkRun(expectation, of: lastComposed, called: "the run before this", in: source)
    case .ratio(let name, let condition), .verdict(let name, let condition):
      if case .ratio = expectation.kind {
        require("ratio", .number, condition, in: source)
      } else {
        require(
          "verdict", .word(Comparison.Verdict.allCases.map(\.rawValue)), condition, in: source)
      }
      if let comparedNames, !comparedNames.contains(name.text) {
        diagnostics.append(
          Diagnostic(
            comparedNames.isEmpty
              ? "nothing is compared before this expectation"
              : "“\(name.text)” is not compared here", at: name.range, in: source,
            unknown: name.text, among: comparedNames,
            otherwise: comparedNames.isEmpty
              ? "for instance: compare job under serial, promise"
              : "it is one of: \(comparedNames.joined(separator: ", "))"))
      }
    case .violations(let condition):
      require("violations", .count, condition, in: source)
      if !hasExplored {
        report(
          "nothing is explored before this expectation", at: expectation.range, in: source,
          hint: "for instance: explore serial { sleep 20ms }; expect violations == 0")
      }
    }
    var action = Action { $0.expect(expectation, in: source) }
    action.isExpectation = true
    actions.append(action)
  }

  /// Checks an expectation of a run, as far as that is possible before the run.
  ///
  /// - Parameter composed: what will have been run by then, if that is known.
  mutating func checkRun(
    _ expectation: ExpectationSyntax, of composed: Composed?, called name: String, in source: Source
  ) {
    switch expectation.kind {
    case .quantity(let quantity, let condition):
      require(quantity.rawValue, quantity.measure, condition, in: source)
      if quantity == .lints { requireRule(in: condition, in: source) }
    case .order(let paths):
      requireDistinct(paths, in: source)
      for path in paths { require(path, of: composed, called: name, in: source) }
    case .critical(let paths):
      for path in paths { require(path, of: composed, called: name, in: source) }
    case .step(let quantity, let path, let condition):
      if let condition { require(quantity.rawValue, quantity.measure, condition, in: source) }
      require(path, of: composed, called: name, in: source)
    case .ratio, .verdict, .violations: break
    }
  }

  /// Reports a condition that makes no sense for the quantity: every run would meet it, or every run would miss it.
  private mutating func require(
    _ quantity: String, _ measure: Measure, _ condition: ExpectationSyntax.Condition,
    in source: Source
  ) {
    guard let mistake = measure.mistake(in: condition) else { return }
    report(
      "“\(quantity)” \(mistake)", at: condition.value.range, in: source,
      hint: "for instance: \(measure.example)")
  }

  private mutating func requireRule(
    in condition: ExpectationSyntax.Condition, in source: Source
  ) {
    let rules = LintRule.all.map(\.name)
    guard case .word(let rule) = condition.value, rule.text != "none", !rules.contains(rule.text)
    else { return }
    diagnostics.append(
      Diagnostic(
        "there is no lint rule “\(rule.text)”", at: rule.range, in: source, unknown: rule.text,
        among: rules, otherwise: "“help lints” lists all rules"))
  }

  /// A step ends once, so it has one place in an order.
  private mutating func requireDistinct(_ paths: [StepPathSyntax], in source: Source) {
    var known: Set<String> = []
    for path in paths where !known.insert(path.text).inserted {
      report(
        "“\(path.text)” is named twice", at: path.range, in: source,
        hint: "name each step of an order once")
    }
  }

  private mutating func requireRun(for expectation: ExpectationSyntax, in source: Source) {
    guard lastComposed == nil, isLastRunKnown, diagnostics.isEmpty else { return }
    report(
      "nothing is run before this expectation", at: expectation.range, in: source,
      hint: "an expectation reads the last run: serial { sleep 20ms }; expect makespan < 40ms")
  }

  private mutating func require(
    _ path: StepPathSyntax, of composed: Composed?, called name: String, in source: Source
  ) {
    guard let composed, diagnostics.isEmpty else { return }
    let components = path.components.map(\.text)
    if composed.contains(components) || composed.containsCounted(components) { return }
    let known = composed.paths().map { $0.joined(separator: "/") }
    diagnostics.append(
      Diagnostic(
        "\(name) has no step “\(path.text)”", at: path.range, in: source,
        unknown: path.text, among: known,
        otherwise: known.isEmpty ? "it has no steps" : "its steps are \(known.shortList)"))
  }
}

extension Composed {
  /// Whether the label at the end of `path` stands for numbered steps: `page` for `page-1`, `page-2` and so on.
  fileprivate func containsCounted(_ path: [String]) -> Bool {
    guard let stem = path.last else { return false }
    return contains(path.dropLast() + ["\(stem)-1"])
  }
}
