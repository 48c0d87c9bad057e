extension Analysis {
  /// Analyses a saved run.
  ///
  /// - Complexity: O(n log n) in the number of events.
  public init(of run: SavedRun) {
    self.init(TraceReading(run), workers: run.workers)
  }

  /// Analyses the events of a run, beyond what its record contains.
  ///
  /// - Parameters:
  ///   - record: the record of these events.
  ///   - events: in time order.
  ///   - workers: the number of workers in the pool, if known. While all of them are occupied, there is no dispatch
  ///     gap.
  /// - Complexity: O(n log n) in the number of events.
  public init(of record: RunRecord, events: [TraceEvent], workers: Int? = nil) {
    self.init(TraceReading(record, TraceEvents(events)), workers: workers)
  }

  package init(_ reading: TraceReading, workers: Int?) {
    let record = reading.record
    let table = reading.table
    let occupation = LaneOccupation(reading.events, table, makespan: record.makespan)
    let curve = ConcurrencyCurve(record.steps)
    let flights = curve.stretches(until: record.makespan)
    let flying = TimeSpans(flights.lazy.filter { $0.count > 0 }.map { reading.absolute($0.span) })
    let nothing = TimeSpans([reading.absolute(0..<max(record.makespan, 0))]).subtracting(flying)
    name = record.name
    outcome = record.outcome
    makespan = record.makespan
    work = record.work
    blocked = record.blocked
    maxConcurrency = record.maxConcurrency
    events = record.events
    recording = record.recording
    idle = nothing.subtracting(TimeSpans(occupation.spans)).total
    lanes = occupation.uses
    concurrency = curve.points.map { ConcurrencyPoint(time: $0.time, count: Int($0.value)) }
    let flight = flights.reduce(0.0) { sum, flight in
      sum + Double(flight.count) * (Double(flight.span.upperBound) - Double(flight.span.lowerBound))
    }
    meanConcurrency = makespan > 0 ? flight / Double(makespan) : 0

    let waits = Waits(reading)
    dependencyWait = waits.dependencies
    queueWait = waits.queues
    // A closure, not a reference to the method, which would copy the reading for each step.
    ready = reading.nodes.map { waits.ready[$0].map { reading.relative($0) } }
    let full =
      workers.map { TimeSpans(occupation.spans, depth: max($0, 1)) } ?? TimeSpans(EmptyCollection())
    dispatchGaps = Gaps(nothing.intersection(waits.readyWaits).subtracting(full))

    (criticalPath, tail) = reading.criticalPath(full: full)
    if outcome == .unfinished {
      slack = Array(repeating: nil, count: record.steps.count)
    } else {
      let slacks = Slack(table)
      slack = reading.nodes.map { slacks.ofNodes[$0] }
    }
    repeated = Repetitions(record.steps).families.compactMap { family in
      Distribution(
        family.name, groups: family.groups, family.steps.compactMap { record.steps[$0].duration })
    }
  }
}

/// How long steps waited, and for what.
private struct Waits {
  var dependencies: Int64 = 0
  var queues: Int64 = 0
  /// For each node, when it was ready. Nil if it never started.
  var ready: [Int64?]
  /// When at least one step was ready and had not started.
  let readyWaits: TimeSpans

  /// - Complexity: O(n log n) in the number of nodes and of their waits.
  init(_ reading: TraceReading) {
    let table = reading.table
    ready = Array(repeating: nil, count: table.nodes.count)
    var spans: [Range<Int64>] = []
    let root = table.root
    for (index, node) in table.nodes.enumerated() {
      guard let started = table.startTime(of: index), index != root || node.isLeaf else { continue }
      let waits = started > table.submitTime(of: index) ? table.waits(of: index) : []
      func last(_ counts: (SpanTable.Wait) -> Bool) -> Int64 {
        let until = waits.lazy.filter(counts).map(\.until).max() ?? table.submitTime(of: index)
        return min(max(until, table.submitTime(of: index)), started)
      }
      let free = last { $0.kind == .dependency }
      dependencies = dependencies.addingClamped(
        free.subtractingClamped(table.submitTime(of: index)))
      queues = queues.addingClamped(started.subtractingClamped(free))
      if !table.tasks.nodes.contains(index) {
        queues = queues.addingClamped(table.lateness(of: index))
      }
      let ready = last { $0.kind != .queue }
      self.ready[index] = ready
      if ready < started { spans.append(ready..<started) }
    }
    readyWaits = TimeSpans(spans)
    for wait in table.tasks.waits where wait.to != table.startTime(of: wait.node) {
      queues = queues.addingClamped(wait.length)
    }
  }
}

extension TraceReading {
  /// The critical path with its hand-overs, and the time from its end to the end of the run.
  ///
  /// - Parameter full: when all workers were occupied.
  fileprivate func criticalPath(full: TimeSpans) -> (steps: [CriticalStep], tail: Int64) {
    var result: [CriticalStep] = []
    var last: Int64 = 0
    for part in critical {
      let delay = max(part.from.subtractingClamped(last), 0)
      let handOver = part.cause.map { cause in
        HandOver(
          kind: cause.kind, from: name(ofStep: cause.source), to: name(ofStep: cause.waiter),
          before: cause.before, delay: delay,
          pause: delay > 0 ? pause(of: nodes[part.step], last..<part.from, full) : nil)
      }
      let from = max(part.from, last)
      result.append(
        CriticalStep(
          step: part.step, path: record.steps[part.step].path, from: from,
          time: max(part.to.subtractingClamped(from), 0), handOver: handOver))
      last = max(last, part.to)
    }
    return (result, max(record.makespan.subtractingClamped(last), 0))
  }

  /// The reason for a delay on the critical path: from the end of the previous step to the start of the leaf's share of
  /// the makespan.
  private func pause(of leaf: Int, _ delay: Range<Int64>, _ full: TimeSpans) -> HandOver.Pause {
    let delay = absolute(delay)
    let submitted = min(
      max(table.submitTime(of: leaf), delay.lowerBound), delay.upperBound)
    if full.touches(submitted..<delay.upperBound) { return .worker }
    return table.waitsForTimer(leaf, since: delay.lowerBound) ? .timer : .dispatch
  }
}
