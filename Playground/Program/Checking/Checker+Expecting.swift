import Composing
import PlaygroundLanguage
import TimingTrace

extension Checker {
  mutating func expect(_ expectation: ExpectationSyntax, in source: Source) {
    switch expectation.kind {
    case .quantity(let quantity, let condition):
      requireRun(for: expectation, in: source)
      require(quantity.rawValue, quantity.measure, condition, in: source)
    case .order(let paths), .critical(let paths):
      requireRun(for: expectation, in: source)
      for path in paths { require(path, in: source) }
    case .step(let quantity, let path, let condition):
      requireRun(for: expectation, in: source)
      if let condition { require(quantity.rawValue, quantity.measure, condition, in: source) }
      require(path, in: source)
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
              : "“\(name.text)” is not among what is compared", at: name.range, in: source,
            unknown: name.text, among: comparedNames,
            otherwise: comparedNames.isEmpty
              ? "for instance: compare job under serial, promise"
              : "it is one of: \(comparedNames.joined(separator: ", "))"))
      }
    case .violations:
      report("nothing is explored before this expectation", at: expectation.range, in: source)
    }
    var action = Action { $0.expect(expectation, in: source) }
    action.isExpectation = true
    actions.append(action)
  }

  /// A condition that no run could ever meet, or miss, is a mistake in what was written.
  private mutating func require(
    _ quantity: String, _ measure: Measure, _ condition: ExpectationSyntax.Condition,
    in source: Source
  ) {
    guard let mistake = measure.mistake(in: condition) else { return }
    report(
      "“\(quantity)” \(mistake)", at: condition.value.range, in: source,
      hint: "for instance: \(measure.example)")
  }

  private mutating func requireRun(for expectation: ExpectationSyntax, in source: Source) {
    guard lastComposed == nil, isLastRunKnown, diagnostics.isEmpty else { return }
    report(
      "nothing is run before this expectation", at: expectation.range, in: source,
      hint: "an expectation reads the last run: serial { sleep 20ms }; expect makespan < 40ms")
  }

  private mutating func require(_ path: StepPathSyntax, in source: Source) {
    guard let lastComposed, diagnostics.isEmpty else { return }
    let components = path.components.map(\.text)
    if lastComposed.contains(components) || lastComposed.containsCounted(components) { return }
    let known = lastComposed.paths().map { $0.joined(separator: "/") }
    diagnostics.append(
      Diagnostic(
        "the run before this has no step “\(path.text)”", at: path.range, in: source,
        unknown: path.text, among: known,
        otherwise: known.isEmpty ? "it has no steps" : "its steps are \(known.shortList)"))
  }
}

extension Composed {
  /// Whether a label that had a count is called `path`.
  fileprivate func containsCounted(_ path: [String]) -> Bool {
    guard let stem = path.last else { return false }
    return contains(path.dropLast() + ["\(stem)-1"])
  }
}
