/// What a run's events come to: the record that the program shows, saves and compares.
///
/// Times are nanoseconds since the run's start, which is when its own step was submitted. That step is
/// not among `steps`, unless the run had no other.
public struct RunRecord: Sendable, Hashable, Codable {
  /// What the record is called among others.
  public var record = "run"
  public var name: String
  /// The pattern at the top, or the step that ran alone.
  public var pattern: String
  public var clock: ClockKind
  public var seed: UInt64
  public var outcome: Outcome
  public var value: Value
  /// Why, if it failed.
  public var error: String?
  /// Who waits for whom, in whole sentences, if it could not go on and that is known.
  public var standstill: [String]?
  /// From the start to the last completion, stragglers included.
  public var makespan: Int64 = 0
  /// The sum of `work` time.
  public var work: Int64 = 0
  /// The sum over all lanes of the time in which they stood parked.
  public var blocked: Int64 = 0
  /// The largest number of leaf steps in flight at once.
  public var maxConcurrency = 0
  /// How many lanes ran or stood parked.
  public var threads = 0
  /// The labels of the leaf steps that the makespan is made of, the first one first: from the last to end each time
  /// back to what it waited for last, be it a dependency, a permit, who woke its pattern, or who held the worker. Of a
  /// pattern that a timer of its own ended, that itself.
  public var criticalPath: [String] = []
  /// Every start of a step, and every step that never started: parts follow their pattern, in the order
  /// in which it got them.
  public var steps: [StepRecord] = []
  public var edges: [EdgeRecord] = []
  public var lints: [LintRecord] = []
  /// When lanes stood parked, and when steps waited for one, by start.
  public var intervals: [IntervalRecord] = []
  /// What steps recorded of things that change, such as animated properties, in the order in which they
  /// begin: one for each name that a step used, and for each of its starts.
  public var counters: [CounterRecord] = []
  /// How many events the analysis had to go by.
  public var events = 0
  /// How many events were lost because the recorder was full. Where there are any, the rest of the
  /// record may be wrong.
  public var dropped = 0
  /// What recording one event cost, in nanoseconds, where it was measured.
  public var overhead: Double?
  /// Whether it was ended before it could end by itself, as when somebody called it off, or its recording was, as when
  /// the program was killed. What it would have taken is not known; and where only the recording has ended, what is
  /// open in it may have completed afterwards, and nothing is found to be wrong with that.
  public var isCutOff: Bool {
    get { cutOff == true }
    set { cutOff = newValue ? true : nil }
  }
  /// What the record was made from: built once, and shared by everything that asks more than the record says.
  package var derived = Derived()
  /// Nil stands for false, which no record tells.
  private(set) var cutOff: Bool?

  /// Whether the causes were inferred from the trace of another program when that was imported. Else they were recorded.
  public var causesAreInferred: Bool {
    get { causes != nil }
    set { causes = newValue ? .inferred : nil }
  }
  /// Nil if the causes were recorded: a record mentions only the exception.
  package private(set) var causes: Causes?

  package enum Causes: String, Sendable, Hashable, Codable { case inferred }

  public enum Outcome: String, Sendable, Hashable, Codable, CaseIterable {
    case success, failure, cancelled, unfinished
  }

  /// A record of a run in which nothing has happened.
  public init(
    name: String, pattern: String, clock: ClockKind, seed: UInt64 = 0, outcome: Outcome,
    value: Value = .none, error: String? = nil
  ) {
    self.name = name
    self.pattern = pattern
    self.clock = clock
    self.seed = seed
    self.outcome = outcome
    self.value = value
    self.error = error
  }

  enum CodingKeys: String, CodingKey {
    case record, name, pattern, clock, seed, outcome, value, error, standstill
    case makespan = "makespan_ns"
    case work = "work_ns"
    case blocked = "blocked_ns"
    case maxConcurrency = "max_concurrency"
    case threads
    case criticalPath = "critical_path"
    case steps, edges, lints, intervals, counters, events
    case dropped = "dropped_events"
    case overhead = "overhead_ns"
    case cutOff = "cut_off"
    case causes
  }
}

extension RunRecord {
  /// What recording all events cost, in nanoseconds, where it was measured: no time in the record is without it.
  public var recording: Double? { overhead.map { $0 * Double(events) } }

  /// The same in a short phrase.
  package var recordingText: String? {
    guard let overhead, events > 0 else { return nil }
    return "recording \(Duration.nanoseconds(Int64(nearest: overhead)).shortDescription) an event"
  }
}

extension KeyedDecodingContainer {
  /// Records of before there were counters have none; the decoding that the compiler writes for
  /// `RunRecord` finds this.
  func decode(_ type: [CounterRecord].Type, forKey key: Key) throws -> [CounterRecord] {
    try decodeIfPresent(type, forKey: key) ?? []
  }
}

/// Something that follows from the rest of a record: two records with equal fields are equal, whether it is there or
/// not.
package struct Derived: Sendable, Hashable {
  package var value: (any Sendable)?

  package static func == (left: Derived, right: Derived) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}

/// A stretch of time in which a lane stood parked on behalf of a step, or a step waited for a lane.
public struct IntervalRecord: Sendable, Hashable, Codable {
  public var kind: Kind
  /// The path of the step; the run's own step goes by its label.
  public var step: String
  public var lane: String
  public var from: Int64
  public var to: Int64

  public init(kind: Kind, step: String, lane: String, from: Int64, to: Int64) {
    self.kind = kind
    self.step = step
    self.lane = lane
    self.from = from
    self.to = to
  }

  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// The lane stood parked.
    case blocked
    /// The step was to continue, and the lane was not free.
    case queued
    /// The step was suspended and held no lane.
    case suspended
  }

  enum CodingKeys: String, CodingKey {
    case kind, step, lane
    case from = "from_ns"
    case to = "to_ns"
  }
}
