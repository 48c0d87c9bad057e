internal import TraceBasics

/// One start of a step, and its result. Times are nanoseconds since the start of the run.
public struct StepRecord: Sendable, Hashable {
  public var label: String
  /// When its pattern submitted it.
  public var submitted: Int64
  /// How long its `work` held a lane.
  public var work: Int64
  // A run can have millions of steps, so the other properties are stored in less memory.
  @usableFromInline var start = CompactOptional<Int64>()
  @usableFromInline var finish = CompactOptional<Int64>()
  @usableFromInline var patternPosition = CompactOptional<Int32>()
  @usableFromInline var rank = CompactOptional<Int32>()
  @usableFromInline var number = CompactOptional<Int32>()
  // The short properties come together, so that no gaps are left between them.
  public var outcome: Outcome
  /// Whether it is on the critical path.
  public var isCritical: Bool
  /// Whether it has no parts.
  public var isLeaf: Bool
  @usableFromInline var common: Shared<CommonProperties>
  @usableFromInline var rare: Shared<RareProperties>?

  /// The properties that many steps have in common.
  @usableFromInline package struct CommonProperties: Sendable, Hashable {
    /// The path of what contains the step, if it is not directly below the run's own step.
    @usableFromInline package let container: String?
    @usableFromInline package var pattern: String
    @usableFromInline var lane: String?

    package init(container: String?, pattern: String, lane: String?) {
      (self.container, self.pattern, self.lane) = (container, pattern, lane)
    }
  }

  @usableFromInline struct RareProperties: Sendable, Hashable {
    @usableFromInline var error: String?
    @usableFromInline var waitsFor: String?
    @usableFromInline var cancelled: Int64?
    @usableFromInline var timedOut: Int64?
    @usableFromInline var keptRunning: Int64?
    @usableFromInline var blocked: Int64 = 0
    @usableFromInline var late: Int64 = 0
  }

  /// - Parameter container: the path of the pattern or the named list that contains the step. Nil directly below the
  ///   run's own step.
  public init(
    label: String, in container: String? = nil, pattern: String, submitted: Int64,
    started: Int64? = nil, finished: Int64? = nil, lane: String? = nil, outcome: Outcome = .skipped,
    error: String? = nil, waitsFor: String? = nil, parent: Int? = nil, isCritical: Bool = false,
    work: Int64 = 0, blocked: Int64 = 0, late: Int64 = 0, isLeaf: Bool = true,
    finishRank: Int? = nil
  ) {
    self.init(
      label: label,
      Shared(CommonProperties(container: container, pattern: pattern, lane: lane)),
      submitted: submitted, parent: parent, work: work, isLeaf: isLeaf)
    self.outcome = outcome
    self.isCritical = isCritical
    start = CompactOptional(started)
    finish = CompactOptional(finished)
    rank = CompactOptional(position: finishRank)
    if error != nil || waitsFor != nil || blocked != 0 || late != 0 {
      rare = Shared(
        RareProperties(error: error, waitsFor: waitsFor, blocked: blocked, late: late))
    }
  }

  /// Makes a step that never started.
  // Inlined, so that a step is made in its place. Otherwise it would be copied there.
  @inlinable package init(
    label: String, _ common: Shared<CommonProperties>, submitted: Int64, parent: Int?, work: Int64,
    isLeaf: Bool
  ) {
    self.label = label
    self.common = common
    self.submitted = submitted
    self.work = work
    self.isLeaf = isLeaf
    (outcome, isCritical) = (.skipped, false)
    patternPosition = CompactOptional(position: parent)
  }

  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    case success, failure
    /// It was cancelled, alone or with its pattern. It may never have started.
    case cancelled
    /// It started and did not finish.
    case unfinished
    /// It never started and was not cancelled: a failure came before it, or its pattern left it out, for example
    /// because the trigger of the step did not hold.
    case skipped
    /// It never started, and its pattern had not ended, so it could still have started.
    case waiting
  }

  /// The labels from below the run's own step down to this one, joined by `/`. For a step of a named list, the name of
  /// the list comes before the label. It changes with the label.
  ///
  /// - Complexity: O(n) in its length, at each access.
  @inlinable public var path: String {
    common.properties.container.map { "\($0)/\(label)" } ?? label
  }

  /// Its kind, such as `sleep` or `serial`.
  public var pattern: String {
    @inlinable get { common.properties.pattern }
    set { changeCommon { $0.pattern = newValue } }
  }

  /// The lane on which it last worked. Without work, the lane that was last blocked for it, or else the lane on which
  /// it started.
  public var lane: String? {
    @inlinable get { common.properties.lane }
    set { changeCommon { $0.lane = newValue } }
  }

  /// When it started, if it ever did. `Int64.min` becomes the next larger time.
  public var started: Int64? {
    @inlinable get { start.value }
    @inlinable set { start.value = newValue }
  }

  /// When it finished, if it did. `Int64.min` becomes the next larger time.
  public var finished: Int64? {
    @inlinable get { finish.value }
    @inlinable set { finish.value = newValue }
  }

  /// The position of its pattern among the steps of the record, at most `Int32.max`. Nil directly below the run's own
  /// step.
  public var parent: Int? {
    @inlinable get { patternPosition.position }
    @inlinable set { patternPosition.position = newValue }
  }

  /// The number of steps that had finished before it, at most `Int32.max`. It shows the order of steps that finished at
  /// the same instant.
  public var finishRank: Int? {
    @inlinable get { rank.position }
    @inlinable set { rank.position = newValue }
  }

  /// Why it failed, if it did.
  public var error: String? {
    @inlinable get { rare?.properties.error }
    set { changeRare { $0.error = newValue } }
  }

  /// The reason for its suspension, if it is a task that was suspended when the run ended.
  public var waitsFor: String? {
    @inlinable get { rare?.properties.waitsFor }
    set { changeRare { $0.waitsFor = newValue } }
  }

  /// When it was first asked to stop. Nil if that did not happen before its end.
  public var cancelled: Int64? {
    @inlinable get { rare?.properties.cancelled }
    set { changeRare { $0.cancelled = newValue } }
  }

  /// When it timed out: a timer of its pattern cancelled it, or it is a pattern and its own timer made it fail.
  public var timedOut: Int64? {
    @inlinable get { rare?.properties.timedOut }
    set { changeRare { $0.timedOut = newValue } }
  }

  /// When it was cancelled, if it kept running after that. A step that the cancellation ended within a short time did
  /// not keep running.
  public var keptRunning: Int64? {
    @inlinable get { rare?.properties.keptRunning }
    set { changeRare { $0.keptRunning = newValue } }
  }

  /// The number of this start among the starts of its label in its pattern, such as the attempt of a retry. The first
  /// is 1. Nil if there is only one start.
  public var attempt: Int? {
    @inlinable get { number.position }
    @inlinable set { number.position = newValue }
  }

  /// How long a lane was blocked for it.
  public var blocked: Int64 {
    @inlinable get { rare?.properties.blocked ?? 0 }
    set { changeRare { $0.blocked = newValue } }
  }

  /// How long its end was delayed because its lane was not free.
  public var late: Int64 {
    @inlinable get { rare?.properties.late ?? 0 }
    set { changeRare { $0.late = newValue } }
  }

  /// Its label, with its number if its pattern started the label several times: `fetch #2`.
  // Inlined, since a call for an element of an array would copy the whole record.
  @inlinable public var numberedLabel: String { numbered(label) }
  /// Its path, with its number if there is one.
  public var numberedPath: String { numbered(path) }

  @inlinable func numbered(_ name: String) -> String { attempt.map { "\(name) #\($0)" } ?? name }

  private mutating func changeCommon(_ change: (inout CommonProperties) -> Void) {
    var properties = common.properties
    change(&properties)
    common = Shared(properties)
  }

  private mutating func changeRare(_ change: (inout RareProperties) -> Void) {
    var properties = rare?.properties ?? RareProperties()
    change(&properties)
    rare = properties == RareProperties() ? nil : Shared(properties)
  }

  /// How long it ran, if it finished.
  public var duration: Int64? {
    guard let started, let finished else { return nil }
    return finished.subtractingClamped(started)
  }

  /// Whether a label or a path matches this step. The parts of `path` must occur in the step's own path in the same
  /// order, and both paths must have the same last part.
  ///
  /// - Complexity: O(n) in the length of both paths.
  public func matches(path: String) -> Bool {
    StepPath(path).matches(self.path)
  }
}

/// A label or a path written by a user to select steps. It is split once and can then be matched many times.
public struct StepPath: Sendable, Hashable {
  private let parts: [Substring]

  public init(_ text: String) {
    parts = text.split(separator: "/", omittingEmptySubsequences: false)
  }

  /// The positions of the steps that match. If no step has exactly this label or path, it may be that of one start,
  /// `page #2`. Otherwise these are the numbered steps, `page-1` … `page-n`, that match without their number. In
  /// scripts, `after page` also means all of these steps.
  ///
  /// - Complexity: O(n) in the number of steps.
  public func meant(in steps: [StepRecord]) -> [Int] {
    let exact = steps.indices.filter { matches(steps[$0].path) }
    guard exact.isEmpty else { return exact }
    let started = steps.indices.filter {
      steps[$0].attempt != nil && matches(steps[$0].numberedPath)
    }
    guard started.isEmpty else { return started }
    return steps.indices.filter { matches(Folding.stem(of: steps[$0].path)) }
  }

  public func matches(_ path: String) -> Bool {
    if parts.count == 1 {
      // The common case, which does not split the path.
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
