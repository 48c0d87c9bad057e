import PlaygroundLanguage

extension Session {
  /// Holds an expectation against the last run, comparison or exploration, and says what came of it.
  func expect(_ expectation: ExpectationSyntax, in source: Source) {
    let check = ExpectationCheck(
      run: lastRun?.record, comparison: lastComparison, violations: lastExploration?.violations)
    let verdict = check.check(expectation)
    let place = source.location(of: expectation.range)
    console.record(
      ExpectRecord(
        text: expectation.text, passed: verdict.passed, actual: verdict.actual, file: source.name,
        line: place.line
      ).json)
    if verdict.passed {
      if let subject = expectation.subject { forgive(subject) }
      console.say("  ok: \(expectation.text)  (\(verdict.actual))")
    } else {
      status.add(.violated)
      console.complain(
        "\(source.name):\(place.line): expected \(expectation.text), but \(verdict.told(as: "is"))")
    }
  }
}

extension ExpectationSyntax {
  /// Whose end it speaks of, if of any: an end that was expected does not count.
  fileprivate var subject: Session.Pending.Subject? {
    switch kind {
    case .quantity(.outcome, _): .run
    case .violations: .exploration
    default: nil
    }
  }
}
