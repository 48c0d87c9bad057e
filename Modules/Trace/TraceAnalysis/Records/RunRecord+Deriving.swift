extension RunRecord {
  /// Makes the record of a run from its events. The record keeps the events alive.
  ///
  /// - Parameters:
  ///   - events: the events of this run alone, in time order, as `Recorder.snapshot()` returns them.
  ///   - name: the name of the run. If nil, the name of its pattern.
  ///   - pattern: the pattern at the top. If nil, it is taken from the events.
  ///   - result: the result of the run, or nil if it did not finish.
  ///   - start: when the run started. If nil, when its own step was submitted.
  ///   - end: for a run that did not finish, when the caller stopped waiting for it. If nil, the time of its last
  ///     event.
  /// - Complexity: O(n log n) in the number of events. A million events take less than a second.
  public init(
    events: [TraceEvent], name: String? = nil, pattern: String? = nil, clock: ClockKind,
    seed: UInt64 = 0, result: Result<Value, any Error>?, start: Instant? = nil, end: Instant? = nil,
    dropped: Int = 0, overhead: Duration? = nil
  ) {
    self.init(
      storedEvents: TraceEvents(events), name: name, pattern: pattern, clock: clock, seed: seed,
      result: result, start: start, end: end, dropped: dropped, overhead: overhead)
  }

  package init(
    storedEvents: TraceEvents, name: String? = nil, pattern: String? = nil, clock: ClockKind,
    seed: UInt64 = 0, result: Result<Value, any Error>?, start: Instant? = nil, end: Instant? = nil,
    dropped: Int = 0, overhead: Duration? = nil
  ) {
    let outcome: Outcome
    var value = Value.none
    var error: (any Error)?
    switch result {
    case .success(let success)?:
      outcome = .success
      value = success
    case .failure(let failure)?:
      outcome = failure is CancellationError ? .cancelled : .failure
      if outcome == .failure { error = failure }
    case nil: outcome = .unfinished
    }
    self.init(
      name: "", pattern: "", clock: clock, seed: seed, outcome: outcome, value: value, error: error)
    derive(
      from: storedEvents, name, pattern, start: start, end: end, dropped: dropped,
      overhead: overhead)
  }

  /// Makes the record of a run from its events and its outcome. Otherwise it does the same as the initializer with a
  /// result.
  ///
  /// - Parameter error: why the run failed. The record keeps its description.
  public init(
    events: [TraceEvent], name: String? = nil, pattern: String? = nil, clock: ClockKind,
    seed: UInt64 = 0, outcome: Outcome, value: Value = .none, error: (any Error)? = nil,
    start: Instant? = nil, end: Instant? = nil, dropped: Int = 0, overhead: Duration? = nil
  ) {
    self.init(
      name: "", pattern: "", clock: clock, seed: seed, outcome: outcome, value: value, error: error)
    derive(
      from: TraceEvents(events), name, pattern, start: start, end: end, dropped: dropped,
      overhead: overhead)
  }

  private mutating func derive(
    from events: TraceEvents, _ name: String?, _ pattern: String?, start: Instant?, end: Instant?,
    dropped: Int, overhead: Duration?
  ) {
    self.dropped = dropped
    self.overhead = overhead.map { Double($0.components.attoseconds) / 1e9 }
    derive(from: events, start: start, end: end)
    let kind = table.flatMap { table in table.root.map { table.kind(of: $0) } }
    self.pattern = pattern ?? kind ?? ""
    self.name = name ?? self.pattern
  }

  /// Derives everything that follows from the events: the lists, the sums and the findings.
  ///
  /// - Parameters:
  ///   - start: when the run started. If nil, when its own step was submitted.
  ///   - end: for a run that did not finish, when the wait for it ended.
  ///   - lasting: the same time as `end`, but in nanoseconds since the start. If given, it is used instead of `end`.
  ///   - hasParts: whether the run's own step is a pattern with parts. The parts may be missing in the events.
  package mutating func derive(
    from events: TraceEvents, start: Instant? = nil, end: Instant? = nil, lasting: Int64? = nil,
    hasParts: Bool = false
  ) {
    var table = SpanTable(events, clock)
    let root = table.root
    let origin =
      start?.nanoseconds ?? root.map { table.submitTime(of: $0) } ?? table.firstEvent
    let stop =
      end?.nanoseconds ?? max(table.lastEvent, lasting.map(origin.addingClamped) ?? .min)
    table.closeIntervals(at: stop)
    table.rootHasParts = hasParts
    let last =
      outcome == .unfinished
      ? max(stop, table.lastCompletion ?? stop) : table.lastCompletion ?? origin
    makespan = max(last.subtractingClamped(origin), 0)
    work = table.work
    maxConcurrency = Concurrency(table).largest
    threads = table.lanes.all.count
    self.events = events.count
    var layout = StepLayout(table, origin: origin, hasParts: hasParts)
    let path = CriticalPath(layout)
    layout.markCritical(path.parts.lazy.map(\.step))
    steps = layout.steps
    criticalLabels = .made { [layout] in path.parts.map { layout.steps[$0.step].label } }
    edgeList = .made { [layout] in layout.edges }
    intervals = layout.intervals
    counters = layout.counters
    blocked = table.blocking.intervals.reduce(0) { $0.addingClamped($1.length) }
    derived.value = Derivation(
      table: table, origin: origin, critical: path.parts, delays: path.delays)
    lints =
      Lints(
        table, layout, SecondCompletions(events, table),
        end: origin.addingClamped(makespan),
        isIncomplete: isIncomplete && unfinishedStepsLackedTime,
        causesAreInferred: causesAreInferred
      ).all
  }

  /// Whether the steps of an incomplete run may have been unfinished only because it was stopped. On the live clock, a
  /// step that does not end after a cancellation is a fault.
  private var unfinishedStepsLackedTime: Bool {
    switch outcome {
    case .unfinished, .failure: true
    case .cancelled: clock == .virtual
    case .success: false
    }
  }
}
