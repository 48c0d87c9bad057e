import PlaygroundLanguage

extension Session {
  /// Checks an expectation against the last run, comparison or exploration, and shows the result.
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
        "\(source.name):\(place.line): expected \(expectation.text), but "
          + verdict.clause(with: "is"))
    }
  }
}

extension ExpectationSyntax {
  /// The run or exploration whose outcome the expectation states, if it states one. An expected outcome does not affect
  /// the exit code.
  fileprivate var subject: Session.Pending.Subject? {
    switch kind {
    case .quantity(.outcome, _): .run
    case .violations: .exploration
    default: nil
    }
  }
}
