import AsyncPatterns
import AsyncSimulation
import Composing
import PlaygroundLanguage
import TimingTrace

/// The check that a run must pass under every schedule.
struct TrialCheck: Sendable {
  private let expectations: [ExpectationSyntax]
  private let name: String
  private let pattern: String
  private let isTest: Bool
  /// Whether the expectations need all events of the run.
  let needsTrace: Bool
  /// Whether an expectation states the outcome of the run.
  private let expectsOutcome: Bool

  /// - Parameter expectations: if there are none, the run must finish, misuse nothing and not escape the simulation. A
  ///   test must also succeed.
  init(_ expectations: [ExpectationSyntax], of composed: Composed) {
    self.expectations = expectations
    name = composed.name
    pattern = composed.pattern
    isTest = composed.step.isTest
    needsTrace = expectations.contains { $0.needsTrace }
    expectsOutcome = expectations.contains { $0.isAboutOutcome }
  }

  /// The property that is checked, if there is exactly one.
  var onlyProperty: String? {
    expectsOutcome && expectations.count == 1 ? expectations[0].text : nil
  }

  /// The first violation in a trial, if there is one.
  func finding(in trial: Trial) -> Finding? {
    if expectations.isEmpty { return trial.sound() ?? (isTest ? trial.failed() : nil) }
    if !expectsOutcome, let unfinished = trial.unfinished() { return unfinished }
    let check = ExpectationCheck(run: record(of: trial))
    for expectation in expectations {
      let verdict = check.check(expectation)
      if !verdict.passed { return Finding(expectation.text, verdict.clause(with: "was")) }
    }
    return nil
  }

  private func record(of trial: Trial) -> RunRecord {
    var record = RunRecord(
      events: trial.events, name: name, pattern: pattern, clock: .virtual, result: trial.result,
      start: .zero, end: Instant.zero.advanced(by: trial.duration))
    if !needsTrace { record.makespan = trial.makespan.wholeNanoseconds }
    return record
  }
}

extension ExpectationSyntax {
  /// Whether the expectation can be checked only with all events of a run.
  fileprivate var needsTrace: Bool {
    switch kind {
    case .quantity(.outcome, _), .quantity(.makespan, _), .quantity(.value, _): false
    default: true
    }
  }

  var isAboutOutcome: Bool {
    if case .quantity(.outcome, _) = kind { true } else { false }
  }
}
