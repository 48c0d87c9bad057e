internal import AsyncPatterns

/// What a file need not hold, because it follows from the events.
extension RunRecord {
  /// The record of events, with everything that they do not tell, and its totals, as in this one.
  ///
  /// - Parameter lasting: how long after the start what had not ended lasted, at least.
  /// - Complexity: O(n log n) in the number of events.
  func following(from events: [TraceEvent], lasting: Int64) -> RunRecord {
    var record = RunRecord(
      events: events, name: name, pattern: pattern, clock: clock, seed: seed, outcome: outcome,
      value: value, error: error, start: nil, end: nil, lasting: lasting, dropped: dropped,
      overhead: nil, isCutOff: isCutOff)
    record.standstill = standstill
    record.makespan = makespan
    record.work = work
    record.blocked = blocked
    record.maxConcurrency = maxConcurrency
    record.threads = threads
    record.events = self.events
    record.overhead = overhead
    return record
  }

  /// The same, where it is this one but for what records of older versions lack: edges of the run's own step,
  /// and findings put together.
  func renewed(from events: [TraceEvent]) -> RunRecord {
    let following = following(from: events, lasting: lasting)
    var older = following
    older.edges = edges
    older.lints = lints
    return older == self ? following : self
  }

  /// How long after the start something lasted.
  var lasting: Int64 { max(makespan, intervals.map(\.to).max() ?? makespan) }
}

extension JSONWriter {
  /// The record of a run: without its lists where they follow from the events.
  mutating func record(of run: SavedRun) {
    let (record, lasting) = (run.record, run.record.lasting)
    let isFollowing = record.following(from: run.events, lasting: lasting) == record
    key("record")
    if isFollowing { summary(of: record) } else { self.run(record) }
    if isFollowing, lasting != record.makespan { field("lasting_ns", lasting) }
  }

  /// Events as a list that stands by itself.
  mutating func events(_ events: some Sequence<TraceEvent>) {
    key("events")
    array { writer in
      var events = events.makeIterator()
      var eventWriter = EventWriter()
      while let event = events.next() { eventWriter.write(event, to: &writer) }
    }
  }
}

extension JSONFields {
  func events() throws(Mismatch) -> [TraceEvent] {
    var reader = EventReader()
    return try list("events") { json throws(Mismatch) in try reader.event(json) }
  }
}
