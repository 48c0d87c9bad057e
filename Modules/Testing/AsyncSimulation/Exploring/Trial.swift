public import AsyncPatterns

/// The result of a step under one schedule. A property examines it.
public struct Trial: Sendable {
  /// The step's result; nil if the run has not settled.
  public var result: Result<Value, any Error>?
  /// The time from the start to the last completion. Without a completion, the time until nothing was left to do.
  public var makespan: Duration
  /// The time from the start until nothing was left to do. If it is longer than `makespan`, a timer that was not
  /// cancelled fired after the last completion.
  public var duration: Duration
  /// Why the simulation ended.
  public var ending: SimulatedRuntime.Ending
  /// The state of the simulation at that time.
  public var report: SimulatedRuntime.Report
  /// The misuses, in order.
  public var misuse: [Misuse]
  /// All events, if the exploration records them.
  public var events: [TraceEvent]
  /// The planned injection. If the run had no such place, nothing was injected.
  public var injection: Injection.Point?
  /// Whether the run was cancelled.
  public var isCancelled = false
  /// How often each step, by its label, was asked to start before its scope was cancelled. The explored step itself
  /// counts as well. Known only if the exploration watches starts.
  public var starts: [String: Int] = [:]
  /// The labels of the steps that were asked to start after their scope was cancelled, in order. The kernel starts none
  /// of them. Known only if the exploration watches starts.
  public var lateStarts: [String] = []

  /// A report that something was used wrongly.
  public struct Misuse: Sendable, Hashable {
    /// One of the lint rules, such as `completed-twice`.
    public var rule: String
    public var detail: String
  }
}

/// A property that does not hold.
public struct Finding: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The property, such as `makespan < 40ms`. Two findings of one property are the same bug.
  public var property: String
  /// What happened instead.
  public var detail: String

  public init(_ property: String, _ detail: String) {
    self.property = property
    self.detail = detail
  }

  public var description: String { "\(property): \(detail)" }
}

extension Trial {
  /// Checks what should hold in every run: it finishes, and nothing is used wrongly.
  ///
  /// Work that leaves the runtime counts as misuse. It is reported first, since it may cause other findings.
  public func sound() -> Finding? { escaped() ?? unfinished() ?? misused() }

  /// The finding that work came from a thread outside the simulation; nil if none did.
  public func escaped() -> Finding? {
    guard let escape = report.escapes.first else { return nil }
    return Finding(
      "no clock-escape",
      "at \(escape.time) work returned from a thread outside the simulation, so neither its order "
        + "nor its time is exact; use tasks or the runtime's schedulers instead")
  }

  /// The finding that the run has not settled, and why; nil if it has settled.
  public func unfinished() -> Finding? {
    guard result == nil else { return nil }
    let sentences = ending == .limit ? [] : StallReport(report, events: events).sentences
    let finding = report.unfinished(ending)
    return sentences.isEmpty ? finding : Finding(finding.property, sentences.joined(separator: " "))
  }

  /// The finding that the step failed; nil if it did not.
  public func failed() -> Finding? {
    guard case .failure(let error)? = result else { return nil }
    return Finding("succeeds", "\(error)")
  }

  /// The finding about the first misuse; nil if there was none.
  public func misused() -> Finding? {
    misuse.first.map { Finding("no \($0.rule)", $0.detail) }
  }
}

extension SimulatedRuntime.Report {
  func unfinished(_ ending: SimulatedRuntime.Ending) -> Finding {
    switch ending {
    case .limit:
      Finding("comes to an end", "it took more events than the exploration allows")
    case .idle, .reached, .interrupted:
      Finding(
        "finishes",
        waiters.isEmpty
          ? "nothing is left to resume it"
          : waiters.map(\.description).joined(separator: "; "))
    }
  }
}
