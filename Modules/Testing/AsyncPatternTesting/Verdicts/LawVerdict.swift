public import AsyncPatterns
public import AsyncSimulation

/// The verdict on one law of a pattern.
public struct LawVerdict: Sendable {
  public var law: Law
  public var judgement: Judgement
  /// How the law was broken, if it was.
  public var counterexample: Counterexample?
  /// How many schedules were tried.
  public var schedules: Int
  /// Why the law was not searched, or not completely.
  public var remark: String?

  /// The outcome for a law.
  public enum Judgement: String, Sendable, Hashable, CaseIterable {
    /// No schedule broke it.
    case kept
    /// A schedule broke it.
    case broken
    /// A schedule broke it, and the manual says that the pattern breaks it.
    case brokenOnPurpose = "broken-on-purpose"
    /// No schedule broke it, although the manual says that the pattern breaks it.
    case notBroken = "not-broken"
    /// The law was not searched, or the search ended too early for a verdict.
    case skipped
  }

  init(
    _ law: Law, _ judgement: Judgement, _ counterexample: Counterexample? = nil,
    schedules: Int = 0, remark: String? = nil
  ) {
    self.law = law
    self.judgement = judgement
    self.counterexample = counterexample
    self.schedules = schedules
    self.remark = remark
  }

  /// Whether the law is as the manual says, as far as the search shows.
  public var isAsStated: Bool {
    switch judgement {
    case .kept, .brokenOnPurpose, .skipped: true
    case .broken, .notBroken: false
    }
  }
}

/// A run in which a pattern broke a law.
public struct Counterexample: Sendable {
  /// How many events a schedule may have. One with more counts as endless.
  static let eventLimit = 5_000

  /// The property that did not hold, and what happened instead.
  public var finding: Finding
  /// The pattern with its arguments and steps, for people.
  public var composition: String
  /// The events of the run, in order.
  public var moments: [Moment]
  /// How many moments from the start are shared with a schedule that does not break the law; nil if no such schedule
  /// was found.
  public var sharedCount: Int?
  /// The name of the candidate that is chosen after the shared moments under the schedule that does not break the law;
  /// nil if that schedule only lacks the injection.
  public var nextWhenShared: String?
  /// The schedule, as simple as possible; nil if the code did not return.
  public var schedule: Schedule?
  /// Whether the violation occurs again under its schedule. If not, some of the pattern's code escapes the runtime.
  public var isReproducible: Bool
  /// Whether the pattern's code kept the simulation's thread, so that nothing more could be tried.
  public var hasHung = false

  /// Whether other laws would only show that the pattern does not end.
  var isStuck: Bool { hasHung || moments.count >= Self.eventLimit }
}

extension Counterexample: CustomStringConvertible {
  /// The finding, the composition, one line per moment, and the schedule.
  public var description: String {
    var lines = ["\(finding.detail)", "in \(composition)"]
    lines += momentLines.map { "  \($0)" }
    if let schedule { lines.append("schedule: \(schedule)") }
    if !isReproducible, !hasHung { lines.append("(not every run of that schedule shows it)") }
    return lines.joined(separator: "\n")
  }

  /// The moments as lines. A long list is shortened.
  private var momentLines: [String] {
    Excerpt(of: moments, sharedCount: sharedCount).parts.flatMap { part in
      switch part {
      case .lines(let range): moments[range].map(\.description)
      case .gap(let count): ["… \(count) more …"]
      }
    }
  }
}

extension LawVerdict: CustomStringConvertible {
  /// The law and its outcome. If the law should not have been broken, also how it was broken.
  public var description: String {
    var text = "\(law.rawValue): \(judgement.text)"
    if let remark { text += " (\(remark))" }
    if !isAsStated, let counterexample {
      text +=
        "\n" + "\(counterexample)".split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }
    return text
  }
}

extension LawVerdict.Judgement {
  /// The judgement in words.
  public var text: String {
    switch self {
    case .kept: "kept"
    case .broken: "broken"
    case .brokenOnPurpose: "broken on purpose"
    case .notBroken: "kept, although the manual says that it is broken"
    case .skipped: "skipped"
    }
  }
}
