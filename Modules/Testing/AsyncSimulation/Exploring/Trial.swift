public import AsyncPatterns

/// What became of a step under one schedule: what a property is asked about.
public struct Trial: Sendable {
  /// The step's result; nil if the run has not settled.
  public var result: Result<Value, any Error>?
  /// From the start to the last completion, or to where nothing was left to do.
  public var makespan: Duration
  /// From the start to where nothing was left to do. A timer that nobody called off went off after the
  /// last completion if this is longer than `makespan`.
  public var duration: Duration
  /// Why the simulation ended.
  public var ending: SimulatedRuntime.Ending
  /// How things stood then.
  public var report: SimulatedRuntime.Report
  /// What was used wrongly, in order.
  public var misuse: [Misuse]
  /// Everything that happened, if the exploration records.
  public var events: [TraceEvent]
  /// What was put in. There may have been no such place: then it was put in nowhere.
  public var injection: Injection.Point?
  /// Whether the run was cancelled.
  public var isCancelled = false
  /// How often each step, by its label, was asked to start before its scope was cancelled, if the
  /// exploration watches starts; the explored step itself counts as well.
  public var starts: [String: Int] = [:]
  /// The labels of the steps that were asked to start after their scope had been cancelled, in order, if
  /// the exploration watches starts. The kernel lets none of them start.
  public var lateStarts: [String] = []

  /// Something was used wrongly.
  public struct Misuse: Sendable, Hashable {
    /// One of the lint rules, such as `completed-twice`.
    public var rule: String
    public var detail: String
  }
}

/// A property that does not hold.
public struct Finding: Sendable, Hashable, Codable, CustomStringConvertible {
  /// What was to hold, such as `makespan < 40ms`: two findings of one property are the same bug.
  public var property: String
  /// What was the case instead.
  public var detail: String

  public init(_ property: String, _ detail: String) {
    self.property = property
    self.detail = detail
  }

  public var description: String { "\(property): \(detail)" }
}

extension Trial {
  /// What every run should keep: it finishes, and nothing is used wrongly.
  ///
  /// What leaves the runtime is used wrongly, too, and told first: other findings may come of it.
  public func sound() -> Finding? { escaped() ?? unfinished() ?? misused() }

  /// That work came from a thread that is not the simulation's, if so.
  public func escaped() -> Finding? {
    guard let escape = report.escapes.first else { return nil }
    let time = Instant.zero.duration(to: escape.time).shortDescription
    return Finding(
      "no clock-escape",
      "at \(time) work came back from a thread that is not the simulation’s, so neither its order nor "
        + "its time is exact; use tasks or the runtime's schedulers instead")
  }

  /// That the run has not settled, if so, and for want of what.
  public func unfinished() -> Finding? {
    guard result == nil else { return nil }
    let told = ending == .limit ? [] : Standstill(report, events: events).sentences
    let finding = report.unfinished(ending)
    return told.isEmpty ? finding : Finding(finding.property, told.joined(separator: " "))
  }

  /// That it failed, if so.
  public func failed() -> Finding? {
    guard case .failure(let error)? = result else { return nil }
    return Finding("succeeds", "\(error)")
  }

  /// What was used wrongly first.
  public func misused() -> Finding? {
    misuse.first.map { Finding("no \($0.rule)", $0.detail) }
  }
}

extension SimulatedRuntime.Report {
  func unfinished(_ ending: SimulatedRuntime.Ending) -> Finding {
    switch ending {
    case .limit:
      Finding("comes to an end", "it went on for longer than the exploration lets an event go on")
    case .idle, .reached, .interrupted:
      Finding(
        "finishes",
        waiters.isEmpty
          ? "nothing is left that could make it go on"
          : waiters.map(\.description).joined(separator: "; "))
    }
  }
}
