/// The record of a run, made from its events. The program shows, saves and compares such records.
///
/// Times are nanoseconds since the run's start, which is when its own step was submitted. That step is not among
/// `steps`, unless the run had no other.
public struct RunRecord: Sendable, Hashable {
  public var name: String
  /// The pattern at the top, or the step that ran alone.
  public var pattern: String
  public var clock: ClockKind
  public var seed: UInt64
  public var outcome: Outcome
  public var value: Value
  /// Why the run failed, if it did.
  public var error: String?
  /// Which step waits for which, in whole sentences. Nil unless the run stalled and this is known.
  public var stallReasons: [String]?
  /// The time from the start to the last completion, stragglers included.
  public var makespan: Int64 = 0
  /// The total time for which `work` held lanes, summed over all lanes.
  public var work: Int64 = 0
  /// The total time for which lanes were blocked, summed over all lanes.
  public var blocked: Int64 = 0
  /// The largest number of leaf steps in flight at the same time.
  public var maxConcurrency = 0
  /// The number of lanes that ran or were blocked.
  public var threads = 0
  /// The labels of the leaf steps on the critical path, the first step first. The path is found backwards from the step
  /// that ended last. It leads from each step to what that step waited for last. This is a dependency, a permit, the
  /// step that woke its pattern, or the holder of its worker. If a pattern was ended by its own timer, the pattern
  /// itself is on the path.
  ///
  /// - Complexity: O(*n*) in the length of the path, at each access.
  public var criticalPath: [String] {
    get { criticalLabels.all }
    set { criticalLabels = .listed(newValue) }
  }
  package var criticalLabels = MadeList<String>.listed([])
  /// Every start of a step, and every step that never started. The parts of a pattern follow it, in the order in which
  /// they were submitted.
  public var steps: [StepRecord] = [] {
    // `derived` contains positions of steps, so it is discarded when the steps change.
    didSet { derived = Derived() }
  }
  /// Which step let which other step continue, in the order of the events.
  ///
  /// - Complexity: O(*n* log *n*) in the number of edges, at each access.
  public var edges: [EdgeRecord] {
    get { edgeList.all }
    set { edgeList = .listed(newValue) }
  }
  package var edgeList = MadeList<EdgeRecord>.listed([])
  public var lints: [LintRecord] = []
  /// When lanes were blocked, and when steps were suspended, were delayed, or waited for a lane, ordered by start.
  public var intervals: [IntervalRecord] = []
  /// The recorded values of things that change, such as animated properties, in the order of their first values. Each
  /// start of a step has its own counter for each name that it used.
  public var counters: [CounterRecord] = []
  /// The number of events that were analysed.
  public var events = 0
  /// The number of events that were lost because the recorder was full. If there are any, the rest of the record may be
  /// wrong.
  public var dropped = 0
  /// The cost of recording one event, in nanoseconds, if it was measured.
  public var overhead: Double?
  /// Whether the record is incomplete. There are two cases. Either the run was stopped before it could end by itself,
  /// for example by a cancellation or a crash. Or only its recording ended, for example because the program was killed.
  /// In both cases, the run's full duration is unknown. If the run crashed, if only the recording ended, or if a
  /// simulation was stopped, unfinished steps give no findings: they may have completed later.
  public var isIncomplete = false
  /// Whether the causes were inferred when the trace of another program was imported. Otherwise they were recorded.
  public var causesAreInferred = false
  /// The data from which the record was made, and further results. It is built once, and shared by all code that needs
  /// more than the record contains.
  package var derived = Derived()

  public enum Outcome: String, Sendable, Hashable, CaseIterable {
    case success, failure, cancelled, unfinished
  }

  /// Makes a record of a run without any events.
  ///
  /// - Parameter error: why the run failed. The record keeps its description.
  public init(
    name: String, pattern: String, clock: ClockKind, seed: UInt64 = 0, outcome: Outcome,
    value: Value = .none, error: (any Error)? = nil
  ) {
    self.name = name
    self.pattern = pattern
    self.clock = clock
    self.seed = seed
    self.outcome = outcome
    self.value = value
    self.error = error.map { String(describing: $0) }
  }
}

extension RunRecord {
  /// The cost of recording all events, in nanoseconds, if it was measured. All times in the record include it.
  public var recording: Double? { overhead.map { $0 * Double(events) } }

  /// The cost of recording one event, as a short phrase.
  package var recordingText: String? {
    guard let overhead, events > 0 else { return nil }
    return "recording \(Int64(nearest: overhead).durationText) an event"
  }
}

/// Data of a record that does not take part in comparisons: records with equal fields are equal, with or without it.
package struct Derived: Sendable, Hashable {
  package var value: (any Sendable)?

  package static func == (left: Derived, right: Derived) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}

/// A time in which a lane was blocked for a step, or in which a step was suspended, was delayed, or waited for a lane.
public struct IntervalRecord: Sendable, Hashable {
  public var kind: Kind
  /// The path of the step. The run's own step is identified by its label.
  public var step: String
  /// The position of the step among the steps of the record. Nil for the run's own step.
  public var position: Int?
  public var lane: String
  public var from: Int64
  public var to: Int64

  public init(
    kind: Kind, step: String, position: Int?, lane: String, from: Int64, to: Int64
  ) {
    self.kind = kind
    self.step = step
    self.position = position
    self.lane = lane
    self.from = from
    self.to = to
  }

  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The lane was blocked.
    case blocked
    /// The step was ready to continue, but the lane was not free.
    case queued
    /// The step was suspended and held no lane.
    case suspended
    /// A timer of a pattern delayed the start of the step, or the end of the pattern after its last part.
    case delay
  }
}
