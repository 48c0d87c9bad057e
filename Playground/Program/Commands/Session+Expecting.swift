import PlaygroundLanguage

extension Session {
  /// Holds an expectation against the last run or comparison, and says what came of it.
  func expect(_ expectation: ExpectationSyntax, in source: Source) {
    let check = ExpectationCheck(run: lastRun?.record, comparison: lastComparison)
    let verdict = check.check(expectation)
    let place = source.location(of: expectation.range)
    console.record(
      ExpectRecord(
        text: expectation.text, passed: verdict.passed, actual: verdict.actual, file: source.name,
        line: place.line
      ).json)
    if verdict.passed {
      if case .quantity(.outcome, _) = expectation.kind { forgiveLastRun() }
      console.say("  ok: \(expectation.text)  (\(verdict.actual))")
    } else {
      status.add(.violated)
      console.complain(
        "\(source.name):\(place.line): expected \(expectation.text), but it is \(verdict.actual)")
    }
  }
}
