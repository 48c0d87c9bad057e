import AsyncPatterns
import Composing
import PlaygroundLanguage
import TimingTrace

/// The result of an expectation.
struct Verdict {
  let passed: Bool
  let actual: String
  /// Whether `actual` is a clause, such as “b did not finish”, instead of the value of the quantity.
  var isClause = false

  /// The actual value, as a clause.
  ///
  /// - Parameter verb: “is” or “was”.
  func clause(with verb: String) -> String { isClause ? actual : "it \(verb) \(actual)" }
}

/// Checks expectations against the last run, comparison or exploration.
struct ExpectationCheck {
  var run: RunRecord?
  var comparison: Comparison?
  /// How many violations the exploration has found.
  var violations: Int?

  func check(_ expectation: ExpectationSyntax) -> Verdict {
    switch expectation.kind {
    case .quantity(let quantity, let condition):
      return withRun { check(quantity, condition, of: $0) }
    case .order(let paths): return withRun { order(paths, in: $0) }
    case .critical(let paths): return withRun { critical(paths, in: $0) }
    case .step(let quantity, let path, let condition):
      return withRun { check(quantity, of: path, condition, in: $0) }
    case .ratio(let name, let condition):
      return withRow(name) { row in
        guard let ratio = row.ratio else { return Verdict(passed: false, actual: "none") }
        return condition.holds(forRatio: ratio)
      }
    case .verdict(let name, let condition):
      return withRow(name) { condition.holds(for: .string($0.verdict.rawValue)) }
    case .violations(let condition):
      return violations.map { condition.holds(for: .integer($0)) }
        ?? Verdict(passed: false, actual: "nothing has been explored", isClause: true)
    }
  }

  private func withRun(_ check: (RunRecord) -> Verdict) -> Verdict {
    run.map(check) ?? Verdict(passed: false, actual: "nothing has been run", isClause: true)
  }

  private func withRow(
    _ name: ComparedNameSyntax, _ check: (Comparison.Row) -> Verdict
  ) -> Verdict {
    guard let row = comparison?.rows.first(where: { $0.name == name.text }) else {
      return Verdict(
        passed: false, actual: "“\(name.text)” has not been compared", isClause: true)
    }
    return check(row)
  }

  // MARK: - The run as a whole

  private func check(
    _ quantity: ExpectationSyntax.Quantity, _ condition: ExpectationSyntax.Condition,
    of run: RunRecord
  ) -> Verdict {
    switch quantity {
    case .makespan: condition.holds(forNanoseconds: run.makespan)
    case .work: condition.holds(forNanoseconds: run.work)
    case .blocked: condition.holds(forNanoseconds: run.blocked)
    case .concurrency: condition.holds(for: .integer(run.maxConcurrency))
    case .threads: condition.holds(for: .integer(run.threads))
    case .outcome: condition.holds(for: .string(run.outcome.rawValue))
    case .value: value(condition, of: run)
    case .lints: lints(condition, of: run)
    }
  }

  private func value(
    _ condition: ExpectationSyntax.Condition, of run: RunRecord
  ) -> Verdict {
    let verdict = condition.holds(for: run.value)
    // The quotation marks of a string distinguish it from a number or a word.
    return verdict.passed ? verdict : Verdict(passed: false, actual: run.value.description)
  }

  private func lints(_ condition: ExpectationSyntax.Condition, of run: RunRecord) -> Verdict {
    let rules = run.lints.map(\.rule)
    // As in the list of findings: one entry for everything that a rule has found in one family of steps.
    let shown =
      rules.isEmpty
      ? "none"
      : run.lints.map { $0.count > 1 ? "\($0.rule) × \($0.count)" : $0.rule }
        .joined(separator: ", ")
    guard case .word(let rule) = condition.value else {
      return condition.holds(for: .integer(rules.count), shown: "\(rules.count) (\(shown))")
    }
    let isFound = rule.text == "none" ? rules.isEmpty : rules.contains(rule.text)
    return Verdict(passed: isFound == (condition.comparison == .equal), actual: shown)
  }

  private func order(_ paths: [StepPathSyntax], in run: RunRecord) -> Verdict {
    let unfinished = paths.filter { path in
      let steps = run.steps(at: path)
      return steps.isEmpty || steps.contains { $0.finished == nil }
    }
    guard unfinished.isEmpty else {
      let names = unfinished.map(\.text).joined(separator: ", ")
      return Verdict(passed: false, actual: "\(names) did not finish", isClause: true)
    }
    // Ranks follow the order of recording, which also distinguishes steps that finished at the same instant.
    let ranks = paths.map { run.steps(at: $0).compactMap(\.finishRank).max() ?? .max }
    let ranked = paths.indices.sorted { ranks[$0] < ranks[$1] }
    return Verdict(
      passed: zip(ranks, ranks.dropFirst()).allSatisfy { $0 < $1 },
      actual: ranked.map { paths[$0].text }.joined(separator: ", "))
  }

  private func critical(_ paths: [StepPathSyntax], in run: RunRecord) -> Verdict {
    let expected = paths.map { $0.components.last?.text ?? "" }
    return Verdict(
      passed: expected == run.criticalPath, actual: run.criticalPath.joined(separator: ", "))
  }

  // MARK: - One step

  private func check(
    _ quantity: ExpectationSyntax.StepQuantity, of path: StepPathSyntax,
    _ condition: ExpectationSyntax.Condition?, in run: RunRecord
  ) -> Verdict {
    let steps = run.steps(at: path)
    let started = steps.compactMap(\.started)
    let finished = steps.compactMap(\.finished)
    switch quantity {
    case .count:
      let count = started.count
      return condition?.holds(for: .integer(count))
        ?? Verdict(passed: count > 0, actual: "\(count)")
    case .started:
      return time(started.min(), condition, otherwise: "not started")
    case .finished:
      return time(finished.max(), condition, otherwise: "not finished")
    }
  }

  private func time(
    _ nanoseconds: Int64?, _ condition: ExpectationSyntax.Condition?, otherwise: String
  ) -> Verdict {
    guard let nanoseconds else { return Verdict(passed: false, actual: otherwise) }
    return condition?.holds(forNanoseconds: nanoseconds)
      ?? Verdict(passed: true, actual: nanoseconds.durationText)
  }
}

extension RunRecord {
  /// The records of the steps that a label or a path matches. A label with a count matches all its numbered steps.
  func steps(at path: StepPathSyntax) -> [StepRecord] {
    let exact = steps(matching: path.text)
    guard exact.isEmpty, let stem = path.components.last?.text else { return exact }
    return steps.filter { step in
      guard step.label.hasPrefix(stem + "-"), Int(step.label.dropFirst(stem.count + 1)) != nil
      else {
        return false
      }
      let numbered = path.components.dropLast().map(\.text) + [step.label]
      return step.matches(path: numbered.joined(separator: "/"))
    }
  }
}
