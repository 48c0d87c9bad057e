internal import TraceBasics

/// What became of one start of a step. Times are nanoseconds since the start of the run.
public struct StepRecord: Sendable, Hashable, Codable {
  public var label: String
  /// The labels from below the run's own step down to this one, joined by `/`; a step of a named list
  /// has the list's name before its label.
  public var path: String
  /// What it is: `sleep`, `serial`.
  public var pattern: String
  /// When its pattern got it.
  public var submitted: Int64
  /// When its turn came, if it ever did.
  public var started: Int64?
  public var finished: Int64?
  /// Where it did its work, or else where it started.
  public var lane: String?
  public var outcome: Outcome
  /// Why, if it failed.
  public var error: String?
  /// What it was waiting for when the run ended, if it is a task that was suspended then.
  public var waitsFor: String?
  /// The position of its pattern among the steps of the record; nil right below the run's own step.
  public var parent: Int?
  /// Whether it lies on the critical path.
  public var isCritical: Bool
  /// How long it held a lane with work.
  public var work: Int64
  /// How long a lane stood parked on its behalf.
  public var blocked: Int64
  /// For how long its end was due before it came, since the lane that it was to come on was not free.
  public var late: Int64
  /// Whether no other step is a part of it.
  public var isLeaf: Bool
  /// How many steps had finished before it did: tells the order where several share an instant.
  public var finishRank: Int?

  public init(
    label: String, path: String, pattern: String, submitted: Int64, started: Int64? = nil,
    finished: Int64? = nil, lane: String? = nil, outcome: Outcome = .skipped, error: String? = nil,
    waitsFor: String? = nil, parent: Int? = nil, isCritical: Bool = false, work: Int64 = 0,
    blocked: Int64 = 0,
    late: Int64 = 0, isLeaf: Bool = true, finishRank: Int? = nil
  ) {
    self.label = label
    self.path = path
    self.pattern = pattern
    self.submitted = submitted
    self.started = started
    self.finished = finished
    self.lane = lane
    self.outcome = outcome
    self.error = error
    self.waitsFor = waitsFor
    self.parent = parent
    self.isCritical = isCritical
    self.work = work
    self.blocked = blocked
    self.late = late
    self.isLeaf = isLeaf
    self.finishRank = finishRank
  }

  public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
    case success, failure
    /// It was called off, alone or with what it is part of; it may never have started.
    case cancelled
    /// It started and did not finish.
    case unfinished
    /// It never started, and nobody called it off: a failure came before, or a rule left it out.
    case skipped
    /// It never started, and what it is part of had not ended: its turn might still have come.
    case waiting
  }

  enum CodingKeys: String, CodingKey {
    case label, path, pattern
    case submitted = "submitted_ns"
    case started = "started_ns"
    case finished = "finished_ns"
    case lane, outcome, error, parent
    case waitsFor = "waits_for"
    case isCritical = "critical"
    case work = "work_ns"
    case blocked = "blocked_ns"
    case late = "late_ns"
    case isLeaf = "leaf"
    case finishRank = "finish_rank"
  }

  /// How long it ran, if it finished.
  public var duration: Int64? {
    guard let started, let finished else { return nil }
    return finished.subtractingClamped(started)
  }

  /// Whether a label or a path means this step: the parts of `path` occur in the step's own path in
  /// that order, the last one last.
  ///
  /// - Complexity: O(n) in the length of the two.
  public func matches(path: String) -> Bool {
    StepPath(path).matches(self.path)
  }
}

/// A label or a path as somebody writes it to mean steps; split once, matched often.
public struct StepPath: Sendable, Hashable {
  private let parts: [Substring]

  public init(_ text: String) {
    parts = text.split(separator: "/", omittingEmptySubsequences: false)
  }

  /// The positions of the steps that it means: those of that label or path, or else of those that are
  /// numbered, `page-1` … `page-n`, all of a family, as `after page` does.
  ///
  /// - Complexity: O(n) in the number of steps.
  public func meant(in steps: [StepRecord]) -> [Int] {
    let exact = steps.indices.filter { matches(steps[$0].path) }
    guard exact.isEmpty else { return exact }
    return steps.indices.filter { matches(Folding.stem(of: steps[$0].path)) }
  }

  public func matches(_ path: String) -> Bool {
    if parts.count == 1 {
      // The common case, without splitting the path.
      let last = parts[0].utf8
      let rest = path.utf8.count - last.count
      guard rest >= 0, path.utf8.suffix(last.count).elementsEqual(last) else { return false }
      return rest == 0 || path.utf8[path.utf8.index(path.startIndex, offsetBy: rest - 1)] == 0x2F
    }
    var wanted = parts.reversed()[...]
    var isLast = true
    for part in path.split(separator: "/", omittingEmptySubsequences: false).reversed() {
      if part == wanted.first {
        wanted.removeFirst()
        if wanted.isEmpty { return true }
      } else if isLast {
        return false
      }
      isLast = false
    }
    return false
  }
}
