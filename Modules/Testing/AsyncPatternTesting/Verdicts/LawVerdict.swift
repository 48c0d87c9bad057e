public import AsyncPatterns
public import AsyncSimulation

/// What has become of one law of a pattern.
public struct LawVerdict: Sendable {
  public var law: Law
  public var judgement: Judgement
  /// How the law was broken, if it was.
  public var counterexample: Counterexample?
  /// How many schedules were tried.
  public var schedules: Int
  /// Why the law was not searched, or not to the end.
  public var remark: String?

  /// What a law came to.
  public enum Judgement: String, Sendable, Hashable, CaseIterable, Codable {
    /// No schedule broke it.
    case kept
    /// A schedule broke it.
    case broken
    /// A schedule broke it, and the manual says that the pattern does.
    case brokenOnPurpose = "broken-on-purpose"
    /// No schedule broke it, though the manual says that the pattern does.
    case notBroken = "not-broken"
    /// It could not be searched.
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

  /// Whether it is as the manual says, as far as could be seen.
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

  /// What did not hold.
  public var finding: Finding
  /// The pattern with its arguments and steps, for people.
  public var composition: String
  /// What happened, event by event.
  public var moments: [Moment]
  /// How many of the moments, from the first, some schedule shares that does not break the law; nil if
  /// none was found.
  public var sharedCount: Int?
  /// Who comes next there under that schedule; nil if nothing is put in there.
  public var nextWhenShared: String?
  /// Under which schedule, made as simple as it gets; nil if the code did not come back.
  public var schedule: Schedule?
  /// Whether it shows again under its schedule. If not, something in it escapes the runtime.
  public var isReproducible: Bool
  /// Whether the pattern's code kept the simulation's thread, so that nothing more could be tried.
  public var hasHung = false

  /// Whether other laws would show nothing but that it does not come to an end.
  var isStuck: Bool { hasHung || moments.count >= Self.eventLimit }
}

extension Counterexample: CustomStringConvertible {
  /// What did not hold, the composition, the moments one a line, and the schedule.
  public var description: String {
    var lines = ["\(finding.detail)", "in \(composition)"]
    lines += told.map { "  \($0)" }
    if let schedule { lines.append("schedule: \(schedule)") }
    if !isReproducible, !hasHung { lines.append("(not each run of that schedule shows it)") }
    return lines.joined(separator: "\n")
  }

  /// The moments as lines, without some of very many.
  private var told: [String] {
    Excerpt(of: moments, sharedCount: sharedCount).parts.flatMap { part in
      switch part {
      case .lines(let range): moments[range].map(\.description)
      case .gap(let count): ["… \(count) more …"]
      }
    }
  }
}

extension LawVerdict: CustomStringConvertible {
  /// The law and what it came to; and how it was broken, where it should not have been.
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
  /// In words.
  public var text: String {
    switch self {
    case .kept: "kept"
    case .broken: "broken"
    case .brokenOnPurpose: "broken on purpose"
    case .notBroken: "kept, though the manual says that it is broken"
    case .skipped: "skipped"
    }
  }
}
