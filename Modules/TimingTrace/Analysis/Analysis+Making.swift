public import AsyncPatterns

extension Analysis {
  /// What a saved run comes to.
  ///
  /// - Complexity: O(n log n) in the number of events.
  public init(of run: SavedRun) {
    self.init(of: run.record, events: run.events, workers: run.workers)
  }

  /// What the events of a run come to beyond its record.
  ///
  /// - Parameters:
  ///   - record: of these events.
  ///   - events: in time order.
  ///   - workers: how many workers the pool had, if that is known: while all of them are occupied there is no
  ///     dispatch gap.
  /// - Complexity: O(n log n) in the number of events.
  public init(of record: RunRecord, events: [TraceEvent], workers: Int? = nil) {
    let reading = TraceReading(record, events)
    let record = reading.record
    let table = reading.table
    let occupation = Occupation(events, table, makespan: record.makespan)
    let concurrency = Concurrency(table, keepsPoints: true).points
    let end = reading.origin.addingClamped(record.makespan)
    let run = reading.origin..<max(end, reading.origin)
    let flights = zip(concurrency, concurrency.dropFirst().map(\.time) + [run.upperBound]).map {
      point, next in (span: point.time..<max(next, point.time), count: point.count)
    }
    let flying = TimeSpans(flights.lazy.filter { $0.count > 0 }.map(\.span))
    let nothing = TimeSpans([run]).subtracting(flying)
    name = record.name
    outcome = record.outcome
    makespan = record.makespan
    work = record.work
    blocked = record.blocked
    maxConcurrency = record.maxConcurrency
    self.events = record.events
    recording = record.recording
    idle = nothing.total
    lanes = occupation.uses
    self.concurrency = concurrency.map {
      ConcurrencyPoint(time: reading.relative($0.time), count: $0.count)
    }
    let flight = flights.reduce(0.0) { sum, flight in
      sum + Double(flight.count) * (Double(flight.span.upperBound) - Double(flight.span.lowerBound))
    }
    meanConcurrency = makespan > 0 ? flight / Double(makespan) : 0

    let waits = Waits(reading)
    dependencyWait = waits.dependencies
    queueWait = waits.queues
    ready = reading.nodes.map { waits.ready[$0].map(reading.relative) }
    let full =
      workers.map { TimeSpans(occupation.spans, depth: max($0, 1)) } ?? TimeSpans(EmptyCollection())
    dispatchGaps = Gaps(nothing.intersection(waits.readyWaits).subtracting(full))

    (criticalPath, tail) = reading.criticalPath(full: full)
    if outcome == .unfinished {
      slack = Array(repeating: nil, count: record.steps.count)
    } else {
      let last = reading.path.lastFinisher.flatMap { table.nodes[$0].finished } ?? end
      let slacks = Slack(table, reading.path, eventCount: events.count, end: last)
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
  /// By node; nil for what never started.
  var ready: [Int64?]
  /// When some step was ready and had not started.
  let readyWaits: TimeSpans

  /// - Complexity: O(n log n) in the number of nodes and edges.
  init(_ reading: TraceReading) {
    let nodes = reading.table.nodes
    var freed = [Int64](repeating: .min, count: nodes.count)
    for edge in reading.table.edges where edge.kind == .dependency {
      guard let finished = nodes[edge.from].finished, let started = nodes[edge.to].started,
        finished <= started
      else { continue }
      freed[edge.to] = max(freed[edge.to], finished)
    }
    ready = Array(repeating: nil, count: nodes.count)
    var spans: [Range<Int64>] = []
    let root = reading.table.root
    for (index, node) in nodes.enumerated() {
      guard let started = node.started, index != root || node.isLeaf else { continue }
      let permission =
        started > node.submitted ? reading.path.causes.permission(of: index) : nil
      let end = permission.flatMap(reading.table.sourceEnd)
      // No edge tells what a timer has cut off.
      if permission?.kind == .dependency, let end { freed[index] = max(freed[index], end) }
      let free = min(max(freed[index], node.submitted), started)
      dependencies = dependencies.addingClamped(free.subtractingClamped(node.submitted))
      queues = queues.addingClamped(started.subtractingClamped(free))
      queues = queues.addingClamped(reading.table.endWait(of: index)?.length ?? 0)
      let ready = min(max(end ?? .min, node.submitted), started)
      self.ready[index] = ready
      if ready < started { spans.append(ready..<started) }
    }
    readyWaits = TimeSpans(spans)
  }
}

extension TraceReading {
  /// The critical path with its hand-overs, and how long the run went on after it.
  ///
  /// - Parameter full: when all workers were occupied.
  fileprivate func criticalPath(full: TimeSpans) -> (steps: [CriticalStep], tail: Int64) {
    var result: [CriticalStep] = []
    var last = origin
    for turn in path.turns() {
      let leaf = turn.leaf
      guard let begun = table.begin(of: turn, after: last), let finished = table.end(of: turn),
        let step = steps[leaf]
      else { continue }
      var handOver: HandOver?
      if !result.isEmpty, let cause = turn.cause {
        let delay = max(begun.subtractingClamped(last), 0)
        handOver = HandOver(
          kind: cause.kind, from: name(of: cause.source), to: name(of: cause.waiter),
          before: cause.before, delay: delay,
          pause: delay > 0 ? pause(of: leaf, from: last, to: begun, full) : nil)
      }
      let from = max(begun, last)
      result.append(
        CriticalStep(
          step: step, path: record.steps[step].path, from: relative(from),
          time: max(finished.subtractingClamped(from), 0), handOver: handOver))
      last = max(last, finished)
    }
    return (result, max(record.makespan.subtractingClamped(relative(last)), 0))
  }

  /// What the time between an end and when that of a leaf began was spent on.
  private func pause(
    of leaf: Int, from last: Int64, to begun: Int64, _ full: TimeSpans
  ) -> HandOver.Pause? {
    guard begun > last else { return nil }
    let submitted = min(max(table.nodes[leaf].submitted, last), begun)
    let unasked = submitted.subtractingClamped(last)
    let isMoment = record.clock == .live && unasked < 1_000_000
    if unasked > begun.subtractingClamped(submitted), !isMoment { return .timer }
    if full.touches(submitted..<begun) { return .worker }
    return record.clock == .virtual ? .timer : .dispatch
  }
}
