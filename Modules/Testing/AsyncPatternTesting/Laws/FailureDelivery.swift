import AsyncPatterns
import AsyncSimulation

/// How a pattern handled the failures of its steps in one trial, compared with what its manual says.
struct FailureDelivery {
  private let observation: Observation
  private let result: Result<Value, any Error>?
  private let flow: Manual.Flow
  /// The labels of the steps that come after others. The pattern may have to skip them.
  private let followers: Set<String>

  init(_ trial: Trial, _ flow: Manual.Flow, followers: Set<String>) {
    observation = Observation(trial.events)
    result = trial.result
    self.flow = flow
    self.followers = followers
  }

  /// The finding that the pattern did not behave as stated; nil if it behaved as stated.
  func finding(_ behavior: FailureBehavior) -> Finding? {
    // Another law checks whether it completes.
    guard let result, observation.end != nil else { return nil }
    let failures = observation.failures
    let broken: String? =
      switch behavior {
      case .stops:
        failures.first.flatMap { isFirst(result) ?? startedAfter($0) ?? leftRunning($0) }
      case .waits: failures.first.flatMap { isFirst(result) ?? leftOut() ?? leftRunning($0) }
      case .cancels:
        failures.first.flatMap {
          isFirst(result) ?? startedAfter($0) ?? notCancelled(by: $0) ?? leftRunning($0)
        }
      case .failsFast: failures.first.flatMap { isFirst(result) ?? completedLate(after: $0) }
      case .collects: failures.isEmpty ? nil : isSuccess(result)
      case .first: decidesFirst(result)
      case .firstSuccess: decidesSuccess(result)
      case .own: hasOnlyFailures ? isFailure(result) : nil
      }
    return broken.map { Finding("delivers a failure (\(behavior.rawValue))", $0) }
  }

  // MARK: The result

  /// Describes the fault if the result is not the failure that came first; otherwise nil.
  private func isFirst(_ result: Result<Value, any Error>) -> String? {
    let first = earliest(observation.failures)
    return isOne(of: first, result)
  }

  private func isOne(
    of failures: [Observation.Course], _ result: Result<Value, any Error>
  ) -> String? {
    let names = failures.map { "“\($0.label)”" }.joined(separator: " or ")
    guard case .failure(let error) = result else {
      return "\(names) failed, but the pattern succeeded"
    }
    let text = String(describing: error)
    let isOurs =
      error is StepFailure || error is InjectedFailure || error is CompletionDropped
      || error is TimedOut
    guard isOurs, failures.contains(where: { $0.reason == text }) else {
      return "\(names) failed first, but the pattern failed with “\(text)”"
    }
    return nil
  }

  private func isSuccess(_ result: Result<Value, any Error>) -> String? {
    guard case .failure(let error) = result else { return nil }
    return "a step failed, and so did the pattern: “\(error)”"
  }

  private func isFailure(_ result: Result<Value, any Error>) -> String? {
    if case .success = result { "every step failed, but the pattern succeeded" } else { nil }
  }

  private func decidesFirst(_ result: Result<Value, any Error>) -> String? {
    let first = earliest(observation.endings)
    guard let some = first.first else { return nil }
    let failures = first.filter { $0.outcome == .failure }
    switch result {
    case .success where failures.count == first.count:
      return "“\(some.label)” ended first, with a failure, but the pattern succeeded"
    case .failure where failures.isEmpty:
      return "“\(some.label)” ended first, with success, but the pattern failed"
    case .failure: return isOne(of: failures, result)
    case .success: return nil
    }
  }

  private func decidesSuccess(_ result: Result<Value, any Error>) -> String? {
    if hasOnlyFailures { return isFailure(result) }
    guard let success = observation.endings.first(where: { $0.outcome == .success }),
      case .failure(let error) = result
    else { return nil }
    return "“\(success.label)” succeeded, but the pattern failed: “\(error)”"
  }

  /// Whether all steps that ended have failed, and each step has failed at least once.
  private var hasOnlyFailures: Bool {
    let ended = observation.endings
    return !ended.isEmpty && ended.count == observation.failures.count
      && Set(ended.map(\.label)) == Set(observation.courses.map(\.label))
  }

  // MARK: Running steps

  /// Describes the fault if a step started after the failure; otherwise nil.
  ///
  /// A start at the instant of the failure may have been requested before the failure. This is possible if the failing
  /// step started, or another step ended, at that instant. Such a start does not count, except in a sequence.
  private func startedAfter(_ failure: Observation.Course) -> String? {
    guard let end = failure.end else { return nil }
    let isAlone = earliest(observation.endings.filter { $0.end?.time == end.time }).count == 1
    let isStrict = flow == .sequence || (isAlone && failure.start?.time != end.time)
    let late = observation.courses.first { course in
      guard let start = course.start else { return false }
      return isStrict ? start.place > end.place : start.time > end.time
    }
    return late.map { "“\($0.label)” started after “\(failure.label)” had failed" }
  }

  /// The fault that a step still ran when the pattern completed; nil if none did.
  private func leftRunning(_ failure: Observation.Course) -> String? {
    guard let completed = observation.end else { return nil }
    let running = observation.courses.first { course in
      guard let start = course.start, start.place < completed.place else { return false }
      return (course.end?.place ?? .max) > completed.place
    }
    return running.map { "the pattern completed while “\($0.label)” still ran" }
  }

  private func leftOut() -> String? {
    let idle = observation.courses.first {
      $0.start == nil && !followers.contains($0.label)
    }
    return idle.map { "“\($0.label)” did not start" }
  }

  /// Describes the fault if a step kept running after the failure, to its own end; otherwise nil.
  private func notCancelled(by failure: Observation.Course) -> String? {
    guard let failed = failure.end else { return nil }
    let spared = observation.endings.first { ($0.end?.time ?? .zero) > failed.time }
    return spared.map { "“\(failure.label)” failed, and “\($0.label)” was not cancelled" }
  }

  private func completedLate(after failure: Observation.Course) -> String? {
    guard let failed = failure.end, let completed = observation.end, completed.time > failed.time
    else { return nil }
    let delay = failed.time.duration(to: completed.time).shortDescription
    return "the pattern completed \(delay) after “\(failure.label)” had failed"
  }

  /// The steps that ended at the same instant as the first one.
  private func earliest(_ courses: [Observation.Course]) -> [Observation.Course] {
    guard let time = courses.first?.end?.time else { return [] }
    return courses.filter { $0.end?.time == time }
  }
}
